/** The command that explains a decision on which branches differ. */

import { shellWord } from '../text/shell-word.ts'
import type { DifferingDecision, FleetWorktree } from './fleet.ts'

/** Runs in a worktree that has the decision, because others may not know it. An exported page names no folder. */
export function whyCommand(
  { key, values }: Pick<DifferingDecision, 'key' | 'values'>,
  worktrees: readonly Pick<FleetWorktree, 'path' | 'branch' | 'pending'>[],
): string {
  const held = new Set(values.flatMap(({ held_on }) => held_on))
  const place = worktrees.find(
    // `pending` is null for a worktree whose folder is gone.
    ({ path, branch, pending }) =>
      path.startsWith('/') && branch !== null && held.has(branch) && pending !== null,
  )
  const there = place === undefined ? '' : `-C ${shellWord(place.path)} `
  return `git ${there}ledger why ${shellWord(key)}`
}
