/** The versions of files that a session left behind: what links it to commits. */

import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { joinVersions } from '../../core/shadow/shadow-record.ts'
import type { FileChange } from './git-ports.ts'
import type { SessionContext } from './session-context.ts'
import { ownPaths, sessionPaths, versionsNow } from './shadow-files.ts'

import { NO_FILES, shadowOf, versionsOf } from './shadow-session.ts'

/** From the shadow data; for an open turn from the worktree. */
export async function touchedVersions(
  context: SessionContext,
  state: SessionState,
): Promise<FileVersion[]> {
  const left = await leftVersions(context, state)
  if (!isOpen(state)) return left
  const known = [...left.map(({ path }) => path), ...state.filesTouched]
  const { paths, differing } = await sessionPaths(context, state, { files: [] }, known)
  const was = new Set(left.map(({ path }) => path))
  const now = await versionsNow(
    context,
    paths,
    (path) => was.has(path) || differing.has(path) || state.filesTouched.includes(path),
  )
  return joinVersions(left, now)
}

/**
 * The same of the files that a commit changes, and of no others: enough to tell whose work is in it,
 * and the worktree need not be walked. `isTimedOut`: nobody works on the open turn any more, so that what
 * no tool of it named is somebody else's.
 */
export async function touchedAmong(
  context: SessionContext,
  state: SessionState,
  changes: readonly FileChange[],
  isTimedOut: boolean,
): Promise<FileVersion[]> {
  const changed = new Map(changes.map(({ path, before }) => [path, before]))
  const left = (await leftVersions(context, state)).filter(({ path }) => changed.has(path))
  if (!isOpen(state)) return left
  const known = new Set([...left.map(({ path }) => path), ...state.filesTouched])
  const asked = [...changed.keys()].filter((path) => !isTimedOut || known.has(path))
  const paths = await ownPaths(context, state, asked, known)
  const now = await versionsNow(
    context,
    paths,
    (path) => known.has(path) || changed.get(path) !== undefined,
  )
  return joinVersions(left, now)
}

function isOpen({ phase }: SessionState): boolean {
  return phase === 'active' || phase === 'active_committed'
}

async function leftVersions(context: SessionContext, state: SessionState): Promise<FileVersion[]> {
  const shadow = (await shadowOf(context, state)) ?? NO_FILES
  return versionsOf(shadow, context.repository.place.format)
}
