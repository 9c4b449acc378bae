/** Which files of a session no commit has when its event is written, as git says. */

import type { SessionState } from '../../core/session/session-state.ts'
import { pathOfName } from '../../core/shadow/shadow-paths.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere } from '../shadow/session-context.ts'

/** Undefined for a session of another worktree. Git is asked only if the session changed files. */
export async function uncommittedFiles(
  context: SessionContext,
  state: SessionState,
  files: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (files.length === 0 || !isHere(context, state)) return undefined
  const differing = await context.files.differing()
  return new Set(differing.map(({ path }) => pathOfName(path)))
}
