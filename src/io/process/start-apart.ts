/** Starts work that nobody waits for, in a separate session, without the starter's terminal, pipes or locks. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Place } from '../../app/ports.ts'

/** Variables of the hook's own git command: its index may disappear with the command. */
const COMMAND_VARIABLES = new Set([
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_EDITOR',
  'GIT_REFLOG_ACTION',
])

/** Starts the launcher of this repository. False if `install` never ran, so that there is none. */
export function startDetached(
  place: Place,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): boolean {
  const launcher = `${place.commonDir}/ledger-git/run`
  if (!existsSync(launcher)) return false
  const own = Object.entries(env).filter(([name]) => !COMMAND_VARIABLES.has(name))
  start(launcher, words, place.top ?? place.gitDir, Object.fromEntries(own))
  return true
}

/** Starts this program again. Returns its process number; undefined if it cannot be started. */
export function startSelf(
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
