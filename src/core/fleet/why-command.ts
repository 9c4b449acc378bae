/** The command that tells of a decision on which branches differ. */

import { shellWord } from '../text/shell-word.ts'
import type { DifferingDecision, FleetWorktree } from './fleet.ts'

/** Asked in a worktree that holds it: others know nothing of it. An exported page names no folder. */
export function whyCommand(
  { key, values }: Pick<DifferingDecision, 'key' | 'values'>,
  worktrees: readonly Pick<FleetWorktree, 'path' | 'branch' | 'pending'>[],
): string {
  const held = new Set(values.flatMap(({ held_on }) => held_on))
  const place = worktrees.find(
    // Of one whose folder is gone, nobody knows what is pending.
    ({ path, branch, pending }) =>
      path.startsWith('/') && branch !== null && held.has(branch) && pending !== null,
  )
  const there = place === undefined ? '' : `-C ${shellWord(place.path)} `
  return `git ${there}ledger why ${shellWord(key)}`
}
