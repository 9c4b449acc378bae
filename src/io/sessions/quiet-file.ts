/**
 * `<common-dir>/ledger-git/quiet/<id>`: there while a shell command of the agent would tell nothing but that the
 * session lives. The launcher (`githooks/run`) reads it before it starts Node: the version, the top of the
 * worktree, the commit that HEAD was, the agent's log, one a line. Where all that is still so, it adds a dot and
 * is done: the time of the file is a sign of life. Where contexts are followed, the log has to be too short for the
 * next level, too (src/io/context/context-store.ts).
 *
 * It goes before a state changes, and comes back after: a torn one, or none, starts Node.
 */

import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { formatInstant, instantFromMillis, millisOf } from '../../core/event/instant.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn } from '../../core/session/session-state.ts'
import { attempt } from '../files/files.ts'

/** Undefined where the next shell command may tell more. */
function quietText(state: SessionState): string | undefined {
  const { base, worktree, transcript, mayHaveWritten } = state
  if (!isOpenTurn(state) || !mayHaveWritten || base === undefined || transcript === undefined) {
    return undefined
  }
  // As they stand in JSON.
  const paths = [worktree.path, transcript.path]
  if (paths.some((path) => /[\p{Cc}"\\]/u.test(path))) return undefined
  return `v1\n${worktree.path}\n${base}\n${transcript.path}\n`
}

/** Beside the folder of states; `statePath`: `sessions/<id>.json`. */
function quietPath(statePath: string): string {
  return join(dirname(dirname(statePath)), 'quiet', basename(statePath, '.json'))
}

export function removeQuiet(statePath: string): void {
  attempt(() => rmSync(quietPath(statePath), { force: true }))
}

/** Its time is the last sign of life: a change of the state need not be one. */
export function writeQuiet(statePath: string, state: SessionState): void {
  const path = quietPath(statePath)
  const text = quietText(state)
  const sign = millisOf(state.lastSignOfLife)
  if (text === undefined || sign === undefined) return
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, text, { mode: 0o600 })
    utimesSync(path, sign / 1000, sign / 1000)
  })
}

/** The state with the signs of life that the launcher has noted since. */
export function withQuietSigns(statePath: string, state: SessionState): SessionState {
  const seen = attempt(() => statSync(quietPath(statePath)).mtimeMs)
  const sign = millisOf(state.lastSignOfLife)
  // Times of files are not kept to the millisecond everywhere.
  if (seen === undefined || sign === undefined || seen < sign + 2) return state
  return { ...state, lastSignOfLife: formatInstant(instantFromMillis(Math.floor(seen))) }
}
