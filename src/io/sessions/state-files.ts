/**
 * The files behind the sessions of a repository, all in `<common-dir>/ledger-git/`:
 *
 *   sessions/<id>.json             the state
 *   sessions/<id>.json.damaged-1   what was found in its place and is not a state; never removed by us
 *   session-locks/<id>.lock        held while a state changes
 *   open-sessions/<id>             the marker, which exists while the session is not finished. For the shims of
 *                                  git's hooks, it has a line with `resting` or `working`, the agent's process
 *                                  (0: unknown) and the name of the worktree; then, if the session rests or has
 *                                  ended, the files that wait for a commit, one per line. An empty one says nothing
 *
 * Only their owner may read them, and none of the three folders may be a link to somewhere else.
 */

import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ParsedState } from '../../core/session/session-file.ts'
import { parseSessionState } from '../../core/session/session-file.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { filesAtRest } from '../../core/session/session-state.ts'
import { attempt, isMissing, namesIn, orUnwritable, writePrivate } from '../files/files.ts'
import { isLeft } from '../files/left-behind.ts'
import { withQuietSigns } from './quiet-file.ts'

export interface SessionFolders {
  readonly states: string
  readonly locks: string
  readonly open: string
}

/** Throws if one of them is a link, or not a folder. */
export function sessionFolders(commonDir: string): SessionFolders {
  const [states, locks, open] = ['sessions', 'session-locks', 'open-sessions'].map((name) => {
    const path = join(commonDir, 'ledger-git', name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.isDirectory()) return path
    const what = found.isSymbolicLink() ? 'a symbolic link' : 'not a folder'
    throw new LedgerError(
      'FILE_UNWRITABLE',
      `${path} is ${what}: sessions are not kept through it`,
      `remove ${path}`,
    )
  }) as [string, string, string]
  return { states, locks, open }
}

/** `damaged` may be set aside; `left` must be left unchanged. */
export type Found =
  | {
      readonly kind: 'state'
      readonly state: NonNullable<ParsedState['state']>
      readonly text: string
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged' | 'left'; readonly reason: string }

/** Far more than the bounds of a state allow. */
const MAX_BYTES = 256 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const REASONS = {
  'not-json': 'is not JSON',
  'not-an-object': 'is not a JSON object',
  'no-version': 'has no version',
  'bad-field': 'has an invalid field',
}

/** Reads what is in the place of the state of `id`. */
export function readState(path: string, id: string): Found {
  const damaged = (reason: string): Found => ({ kind: 'damaged', reason })
  let text: string
  try {
    const found = lstatSync(path)
    if (!found.isFile()) return damaged('is not a file')
    if (found.size > MAX_BYTES) return damaged('is too large')
    text = utf8.decode(readFileSync(path))
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' }
    if (error instanceof TypeError) return damaged('is not UTF-8')
    return { kind: 'left', reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
  const { state, problem } = parseSessionState(text)
  if (problem?.reason === 'newer-version') {
    return { kind: 'left', reason: 'was written by a newer release: update ledger-git' }
  }
  if (problem !== undefined) {
    const field = problem.reason === 'bad-field' ? ` (${problem.field})` : ''
    return damaged(REASONS[problem.reason] + field)
  }
  if (state.id === id) return { kind: 'state', state: withQuietSigns(path, state), text }
  // On a file system that ignores case, this is the other session's own file.
  const isTwin = state.id.toLowerCase() === id.toLowerCase()
  return { kind: isTwin ? 'left' : 'damaged', reason: 'belongs to another session' }
}

/**
 * Renames a file that is not a state to a free name. Called under the session's lock, so nobody else does. Undefined
 * if that is not possible; the file then stays.
 */
export function setAside(path: string): string | undefined {
  return attempt(() => {
    for (let n = 1; ; n++) {
      const aside = `${path}.damaged-${n}`
      if (lstatSync(aside, { throwIfNoEntry: false }) !== undefined) continue
      renameSync(path, aside)
      return aside
    }
  })
}

export function removeFile(path: string): void {
  orUnwritable(path, () => rmSync(path, { force: true }))
}

/** The content of the marker. Empty if the worktree's name has characters that a shell could read differently. */
export function markerOf(state: SessionState): string {
  const { owner, worktree } = state
  if (!/^[A-Za-z0-9._-]*$/.test(worktree.name)) return ''
  const place = `${owner?.pid ?? 0} ${worktree.name}\n`
  const files = filesAtRest(state)
  if (files === undefined || !files.every(isPrintedAsIs)) return `working ${place}`
  return `resting ${place}${files.map((file) => `${file}\n`).join('')}`
}

/** git prints other paths in quotes, and U+FFFD stands for bytes that are not text. */
function isPrintedAsIs(path: string): boolean {
  return !/[\p{Cc}\p{Cs}"\\\ufffd]/u.test(path)
}

/** Undefined if there is no marker, or it cannot be read. */
export function readMarker(path: string): string | undefined {
  return attempt(() => readFileSync(path, 'utf8'))
}

/** Writes a marker whole or not at all: a truncated list of files would hide a commit from the session. */
export function mark(path: string, marker: string): void {
  if (marker !== '') return writePrivate(path, marker)
  orUnwritable(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, '', { mode: 0o600 })
  })
}

/** Names in a folder, in byte order, without hidden ones. */
export function visibleNames(folder: string): string[] {
  return namesIn(folder).filter((name) => !name.startsWith('.'))
}

/** Removes files of writers that were killed more than an hour ago. */
export function sweepTemporary(folder: string): void {
  for (const name of namesIn(folder).filter((name) => /^\.ledger-git-.*\.tmp$/.test(name))) {
    const path = join(folder, name)
    if (isLeft(path)) rmSync(path, { force: true })
  }
}
