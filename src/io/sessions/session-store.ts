/**
 * `SessionStore` on files (`state-files.ts` has their names and places).
 *
 * A state changes only under its session's lock, and as a whole. A marker shows which sessions are not finished. It
 * is created before a state that needs it, and removed after a state that does not, so a process that dies in between
 * leaves one marker too many, never one too few. The marker's content is cleared before the state changes and written
 * afterwards, so in that case the marker is empty. A file that is not a state is set aside, under the lock, since it
 * may have become a state meanwhile. Nothing that could be a state is ever removed, except by a `change` that says so.
 */

import { join } from 'node:path'
import type { DamagedState, ListedSessions, SessionStore } from '../../app/shadow/session-ports.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { parseSessionState, renderSessionState } from '../../core/session/session-file.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isFinished, isSessionId } from '../../core/session/session-state.ts'
import type { HeldLock } from '../files/lock.ts'
import { sweepLocks, takeLock, underLock, whileHeld } from '../files/lock.ts'
import { removeQuiet, writeQuiet } from './quiet-file.ts'
import type { SessionFolders } from './state-files.ts'
import * as files from './state-files.ts'
import { attempt, writePrivate } from '../files/files.ts'

const LOCK_TIMEOUT_MS = 5000

type Change<T> = (
  state: SessionState | undefined,
) => Promise<{ readonly state: SessionState | undefined; readonly result: T }>

export class FileSessionStore implements SessionStore {
  readonly #commonDir: string

  constructor(commonDir: string) {
    this.#commonDir = commonDir
  }

  list(): ListedSessions {
    const folders = files.sessionFolders(this.#commonDir)
    attempt(() => files.sweepTemporary(folders.states))
    attempt(() => files.sweepTemporary(folders.open))
    attempt(() => sweepLocks(folders.locks))
    const open = new Set(files.visibleNames(folders.open))
    const listed = listIn(folders, (path, id, found) =>
      this.#repair(folders, path, id, found, open),
    )
    for (const { id } of listed.sessions) open.delete(id)
    for (const id of open) this.#tidyMarker(folders, id)
    return listed
  }

  look(): ListedSessions {
    return listIn(files.sessionFolders(this.#commonDir), (path, _, found) => asItIs(path, found))
  }

  listOpen(): SessionState[] {
    const folders = files.sessionFolders(this.#commonDir)
    return files.visibleNames(folders.open).flatMap((id) => {
      if (!isSessionId(id)) return []
      const { state, marker } = pathsOf(folders, id)
      const found = files.readState(state, id)
      const isOpen = found.kind === 'state' && !isFinished(found.state)
      if (!isOpen || files.readMarker(marker) !== files.markerOf(found.state)) {
        this.#tidyMarker(folders, id)
      }
      return isOpen ? [found.state] : []
    })
  }

  read(id: string): SessionState | undefined {
    if (!isSessionId(id)) return undefined
    const folders = files.sessionFolders(this.#commonDir)
    const found = files.readState(pathsOf(folders, id).state, id)
    return found.kind === 'state' ? found.state : undefined
  }

  async change<T>(id: string, change: Change<T>, timeout = LOCK_TIMEOUT_MS): Promise<T> {
    if (!isSessionId(id)) {
      throw usage(`${JSON.stringify(id)} cannot be the id of a session`)
    }
    const folders = files.sessionFolders(this.#commonDir)
    const paths = pathsOf(folders, id)
    return whileHeld(await takeLock(paths.lock, timeout), async (lock) => {
      const old = readToChange(paths.state, id)
      const { state, result } = await change(old?.state)
      const text = state && checkedText(id, state)
      if (text === undefined || text !== old?.text) refuseUnlessHeld(lock, id)
      const marker = state === undefined || isFinished(state) ? undefined : files.markerOf(state)
      const isMarked = files.readMarker(paths.marker) === marker
      if (marker !== undefined && !isMarked) files.mark(paths.marker, '')
      if (text !== old?.text) removeQuiet(paths.state)
      if (text === undefined) files.removeFile(paths.state)
      else if (text !== old?.text) writePrivate(paths.state, text)
      if (state !== undefined) writeQuiet(paths.state, state)
      if (marker === undefined) files.removeFile(paths.marker)
      // The state is saved, so an empty marker is good enough.
      else if (!isMarked) attempt(() => files.mark(paths.marker, marker))
      return result
    })
  }

  /** Makes the marker match the state; sets aside a file that is not a state. */
  #repair(
    folders: SessionFolders,
    path: string,
    id: string,
    found: Present,
    open: ReadonlySet<string>,
  ): Listed {
    if (found.kind === 'state') {
      const marker = isFinished(found.state) ? undefined : files.markerOf(found.state)
      const now = open.has(id) ? files.readMarker(pathsOf(folders, id).marker) : undefined
      if (now !== marker) this.#tidyMarker(folders, id)
      return { state: found.state }
    }
    // The file may have become a state since it was read.
    const now = underLock(pathsOf(folders, id).lock, () => {
      const again = files.readState(path, id)
      if (again.kind === 'state') return { state: again.state }
      return { keptAs: again.kind === 'damaged' ? files.setAside(path) : undefined }
    })
    if (now?.state !== undefined) return { state: now.state }
    return { problem: { file: path, reason: found.reason, keptAs: now?.keptAs } }
  }

  /** Makes the marker match the state. */
  #tidyMarker(folders: SessionFolders, id: string): void {
    if (!isSessionId(id)) return
    const { state, lock, marker } = pathsOf(folders, id)
    underLock(lock, () => {
      const found = files.readState(state, id)
      const isOver = found.kind === 'state' ? isFinished(found.state) : found.kind === 'absent'
      if (isOver) files.removeFile(marker)
      else if (found.kind === 'state') files.mark(marker, files.markerOf(found.state))
    })
  }
}

/** What is found in the place of a state. */
type Present = Exclude<files.Found, { kind: 'absent' }>

/** One name in the folder: a state, a file that is none, or one that was set aside before. */
interface Listed {
  readonly state?: SessionState
  readonly problem?: DamagedState
}

/** `present` is called for each name of a state. */
function listIn(
  { states }: SessionFolders,
  present: (path: string, id: string, found: Present) => Listed,
): ListedSessions {
  const listed = files.visibleNames(states).map((name): Listed => {
    const path = join(states, name)
    const [, id = '', aside] = /^(.*)\.json(\.damaged-\d+)?$/s.exec(name) ?? []
    if (aside === undefined && !name.endsWith('.json')) return {}
    if (aside === undefined && !isSessionId(id)) {
      return { problem: { file: path, reason: 'has no name of a session', keptAs: undefined } }
    }
    const found = files.readState(path, id)
    if (aside !== undefined) {
      const reason = 'reason' in found ? found.reason : 'was set aside'
      return { problem: { file: join(states, `${id}.json`), reason, keptAs: path } }
    }
    return found.kind === 'absent' ? {} : present(path, id, found)
  })
  // File names sort differently: `a-b.json` before `a.json`.
  const sessions = listed.flatMap(({ state }) => state ?? [])
  return {
    sessions: sessions.sort((a, b) => (a.id < b.id ? -1 : 1)),
    damaged: listed.flatMap(({ problem }) => problem ?? []),
  }
}

function asItIs(path: string, found: Present): Listed {
  if (found.kind === 'state') return { state: found.state }
  return { problem: { file: path, reason: found.reason, keptAs: undefined } }
}

function pathsOf({ states, locks, open }: SessionFolders, id: string) {
  return {
    state: join(states, `${id}.json`),
    lock: join(locks, `${id}.lock`),
    marker: join(open, id),
  }
}

/** Called under the lock. A file that is not a state is set aside; one that must stay stops the change. */
function readToChange(path: string, id: string) {
  const found = files.readState(path, id)
  if (found.kind === 'state') return found
  const isAway = found.kind === 'damaged' && files.setAside(path) !== undefined
  if (found.kind === 'absent' || isAway) return undefined
  throw new LedgerError('FILE_UNWRITABLE', `${path} ${found.reason}; it is left unchanged`)
}

/** Throws if the text could not be read back: it would be set aside the next time. */
function checkedText(id: string, state: SessionState): string {
  const text = renderSessionState(state)
  const { problem } = parseSessionState(text)
  if (state.id !== id || problem !== undefined) {
    throw new Error(`not a state of ${id}: ${JSON.stringify(problem ?? state.id)}`)
  }
  return text
}

function refuseUnlessHeld(lock: HeldLock, id: string): void {
  if (lock.isHeld()) return
  const lost = `the lock of session ${id} was taken away; nothing was saved`
  throw new LedgerError('LOCKED', lost, 'run the command again')
}
