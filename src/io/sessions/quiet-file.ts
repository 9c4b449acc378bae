/**
 * `<common-dir>/ledger-git/quiet/<id>`: exists while a shell command of the agent would report nothing but that the
 * session lives. The launcher (`githooks/run`) reads it before it starts Node. It has one line each for the version,
 * the top of the worktree, the commit that HEAD was, and the agent's log. If all of that is unchanged, the launcher
 * adds a dot and is done: the time of the file is a sign of life. If contexts are followed, the log must also be too
 * short for the next level (src/io/context/context-store.ts).
 *
 * The file is removed before a state changes, and written again afterwards. If it is torn or missing, Node starts.
 */

import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { formatMillis, millisOf } from '../../core/event/instant.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn } from '../../core/session/session-state.ts'
import { attempt } from '../files/files.ts'

/** Undefined if the next shell command may report more. */
function quietText(state: SessionState): string | undefined {
  const { base, worktree, transcript, mayHaveWritten } = state
  if (!isOpenTurn(state) || !mayHaveWritten || base === undefined || transcript === undefined) {
    return undefined
  }
  // Only paths that read the same in JSON.
  const paths = [worktree.path, transcript.path]
  if (paths.some((path) => /[\p{Cc}"\\]/u.test(path))) return undefined
  return `v1\n${worktree.path}\n${base}\n${transcript.path}\n`
}

/** Next to the folder of states; `statePath`: `sessions/<id>.json`. */
function quietPath(statePath: string): string {
  return join(dirname(dirname(statePath)), 'quiet', basename(statePath, '.json'))
}

export function removeQuiet(statePath: string): void {
  attempt(() => rmSync(quietPath(statePath), { force: true }))
}

/** The file's time is the last sign of life, since a change of the state need not be one. */
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
  // Not every file system keeps times to the millisecond.
  if (seen === undefined || sign === undefined || seen < sign + 2) return state
  return { ...state, lastSignOfLife: formatMillis(Math.floor(seen)) }
}
