/** Work that nobody waits for, in a session of its own, without a terminal, pipes or locks of whoever starts it. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Place } from '../../app/ports.ts'

/** Variables of the hook's own git command: its index may be one that goes with the command. */
const OF_THE_COMMAND = new Set(['GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_EDITOR', 'GIT_REFLOG_ACTION'])

/** The launcher of this repository. False where `install` never ran, so that there is none. */
export function startApart(
  place: Place,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): boolean {
  const launcher = `${place.commonDir}/ledger-git/run`
  if (!existsSync(launcher)) return false
  const own = Object.entries(env).filter(([name]) => !OF_THE_COMMAND.has(name))
  start(launcher, words, place.top ?? place.gitDir, Object.fromEntries(own))
  return true
}

/** This program once more. Its process; undefined where it cannot be started. */
export function startAgain(
  words: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): number | undefined {
  const [node, entry] = process.argv
  if (node === undefined || entry === undefined) return undefined
  return start(process.execPath, [entry, ...words], folder, env)
}

function start(program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(program, words, { cwd, env, detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  return child.pid
}
