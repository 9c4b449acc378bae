/**
 * Decides which files of the worktree are a session's:
 * - files that it is known to have touched;
 * - files that its shadow data already has;
 * - in an open turn that may have written: files that differ from HEAD now but did not before the turn, unless they are
 *   known to be another open session's. If the user interrupted the turn, only files that did not change afterwards.
 *
 * Never ignored files, and never the ledger's own.
 */

import type { FileChange, FileVersion } from '../../core/checkpoint/condensation.ts'
import { joinVersions } from '../../core/checkpoint/condensation.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn } from '../../core/session/session-state.ts'
import { DEFAULT_SETTINGS } from '../../core/settings/settings.ts'
import { isLedgerPath, nameOfPath, pathOfName } from '../../core/shadow/shadow-paths.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from './session-context.ts'
import { isHere } from './session-context.ts'
import { versionsNow } from './collect-files.ts'
import type { Chains } from './shadow-chain.ts'
import { readChains } from './shadow-chain.ts'
import { interruptedAt, mayHaveWritten } from './turn-log.ts'
import { shadowOf, versionsOf } from './shadow-session.ts'

/** The ledger's folder. Falls back to the default: unreadable settings must not cost anybody's work. */
export async function rootOf({ repository }: SessionContext): Promise<string> {
  return (await readSettings(repository).catch(() => DEFAULT_SETTINGS)).root
}

/** The versions of files that a session left behind, plus the current ones if its turn is open in this worktree. */
export async function touchedVersions(
  context: SessionContext,
  state: SessionState,
  chains?: Chains,
): Promise<FileVersion[]> {
  const known = chains ?? (await readChains(context, state.worktree.name))
  const left = await leftVersions(context, known, state)
  if (!isOpenTurn(state) || !isHere(context, state)) return left
  const own = new Set([...left.map(({ path }) => path), ...state.filesTouched])
  const { paths, differing } = await sessionPaths(context, state, own)
  const wasThere = (path: string) => own.has(path) || differing.has(path)
  return joinVersions(left, await versionsNow(context, paths, wasThere))
}

/**
 * Like `touchedVersions`, but only for files that a commit changes: enough to tell whose work the commit contains,
 * without walking the worktree. `isKnownOnly`: the open turn is no longer running or wrote nothing, so a file that it
 * is not known to have touched is somebody else's.
 */
export async function touchedAmong(
  context: SessionContext,
  chains: Chains,
  state: SessionState,
  changes: readonly FileChange[],
  isKnownOnly: boolean,
): Promise<FileVersion[]> {
  const changed = new Map(changes.map(({ path, before }) => [path, before]))
  const all = await leftVersions(context, chains, state)
  const left = all.filter(({ path }) => changed.has(path))
  if (!isOpenTurn(state)) return left
  const known = new Set([...left.map(({ path }) => path), ...state.filesTouched])
  const asked = [...changed.keys()].filter((path) => !isKnownOnly || known.has(path))
  const paths = await ownPaths(context, state, asked, known)
  const wasThere = (path: string) => known.has(path) || changed.get(path) !== undefined
  return joinVersions(left, await versionsNow(context, paths, wasThere))
}

/** False if no shadow data need be read: once a turn is over, the state names all its files. */
export function mayHaveTouched(state: SessionState, paths: ReadonlySet<string>): boolean {
  const { hasMoreFiles, filesTouched } = state
  return isOpenTurn(state) || hasMoreFiles || filesTouched.some((path) => paths.has(path))
}

async function leftVersions(
  context: SessionContext,
  chains: Chains,
  state: SessionState,
): Promise<FileVersion[]> {
  return versionsOf(await shadowOf(context, chains, state), context.repository.place.format)
}

/** Paths that may be the session's, with the `known` ones first; and the files that differ according to git. */
export async function sessionPaths(
  context: SessionContext,
  state: SessionState,
  known: ReadonlySet<string>,
): Promise<{
  paths: string[]
  /** Known paths that git ignores; they are not in `paths`. */
  ignored: ReadonlySet<string>
  differing: ReadonlySet<string>
  untracked: readonly ByteName[]
}> {
  const found = await context.files.differing()
  const differing = new Set(found.map(({ path }) => pathOfName(path)))
  const changed = mayHaveWritten(context, state) ? differing : []
  const all = await ownPaths(context, state, [...known, ...changed], known)
  // Git itself named the differing paths, so it does not ignore them.
  const asked = all.filter((path) => !differing.has(path)).map(nameOfPath)
  const ignored = new Set((await context.files.ignored(asked)).map(pathOfName))
  return {
    paths: all.filter((path) => !ignored.has(path)),
    ignored,
    differing,
    untracked: found.flatMap(({ path, isNew }) => (isNew ? [path] : [])),
  }
}

/** The paths that may be the session's; paths that are `known` to be always are. */
async function ownPaths(
  context: SessionContext,
  state: SessionState,
  paths: readonly string[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const { id, worktree, dirtyBefore } = state
  // Two agents may work in one worktree at once.
  const beside = context.sessions
    .listOpen()
    .filter((one) => one.id !== id && one.worktree.name === worktree.name)
  const others = new Set([...dirtyBefore, ...beside.flatMap(({ filesTouched }) => filesTouched)])
  const root = await rootOf(context)
  const stopped = interruptedAt(context, state)
  if (stopped !== undefined) {
    const later = await context.files.changedSince(paths.map(nameOfPath), stopped)
    for (const path of later) others.add(pathOfName(path))
  }
  const own = [...new Set(paths)].filter((path) => known.has(path) || !others.has(path))
  return own.filter((path) => !isLedgerPath(path, root))
}
