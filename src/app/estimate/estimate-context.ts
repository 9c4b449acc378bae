/** The agent's window, and which files a text names. */

import type { FileSizes } from '../../core/plan/plan-work.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** What is known of the agent's window. */
export interface Window {
  readonly window: number
  /** Undefined where nobody knows. */
  readonly remaining: number | undefined
}

/** Where nothing says otherwise. */
export const DEFAULT_WINDOW = 200_000

/**
 * The sizes of the named files that are in the worktree: from its top, as plans name them, or beside the
 * plan. `folder`: the plan's, from the top; undefined where it is outside.
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
