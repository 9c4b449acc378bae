/** The versions of files that a session left behind: what links it to commits. */

import type { FileVersion } from '../../core/session/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { joinVersions } from '../../core/session/shadow-record.ts'
import { sessionPaths, versionsNow } from './shadow-files.ts'
import type { ShadowContext } from './shadow-ports.ts'
import { NO_FILES, shadowOf, versionsOf } from './shadow-session.ts'

/**
 * From the shadow data; for an open turn from the worktree. `against`: what "changed" is measured
 * against, HEAD where it is not given; after a commit its parent, or what it holds has not changed.
 */
export async function touchedVersions(
  context: ShadowContext,
  state: SessionState,
  against?: string,
): Promise<FileVersion[]> {
  const shadow = (await shadowOf(context, state)) ?? NO_FILES
  const left = versionsOf(shadow, context.repository.place.format)
  const isOpen = state.phase === 'active' || state.phase === 'active_committed'
  if (!isOpen) return left
  const known = [...left.map(({ path }) => path), ...state.filesTouched]
  const asked = { files: [], against }
  const { paths, differing } = await sessionPaths(context, state, asked, known)
  const was = new Set(left.map(({ path }) => path))
  const now = await versionsNow(
    context,
    paths,
    (path) => was.has(path) || differing.has(path) || state.filesTouched.includes(path),
  )
  return joinVersions(left, now)
}
