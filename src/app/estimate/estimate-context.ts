/** The agent's context window, and the files that a text names. */

import type { FileSizes } from '../../core/plan/plan-work.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** What is known about the agent's context window. */
export interface Window {
  readonly window: number
  /** Undefined if unknown. */
  readonly remaining: number | undefined
}

/** Used if nothing says otherwise. */
export const DEFAULT_WINDOW = 200_000

/**
 * The sizes of the named files in the worktree. Names are relative to its top, as in plans, or to the plan's folder.
 * `folder`: the plan's folder relative to the top; undefined if it is outside the worktree.
 */
export function sizesOf(
  { repository, plans }: SessionContext,
  names: readonly string[],
  folder: string | undefined,
): FileSizes {
  const { top } = repository.place
  const sizes = new Map<string, number>()
  for (const name of names) {
    const size =
      plans.size(`${top}/${name}`) ??
      (folder === undefined ? undefined : plans.size(`${top}/${folder}/${name}`))
    if (size !== undefined) sizes.set(name, size)
  }
  return sizes
}
