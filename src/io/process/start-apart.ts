/**
 * Work that nobody waits for: the launcher of this repository, in a session of its own, without a terminal,
 * pipes or locks of whoever starts it. Where `install` never ran there is no launcher, and nothing starts.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Place } from '../../app/ports.ts'

/** Variables of the hook's own git command: its index may be one that goes with the command. */
const OF_THE_COMMAND = new Set(['GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_EDITOR', 'GIT_REFLOG_ACTION'])

/** `words`: those of the launcher. False where there is none. */
export function startApart(
  place: Place,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
): boolean {
  const launcher = `${place.commonDir}/ledger-git/run`
  if (!existsSync(launcher)) return false
  const own = Object.entries(env).filter(([name]) => !OF_THE_COMMAND.has(name))
  const child = spawn(launcher, words, {
    cwd: place.top ?? place.gitDir,
    env: Object.fromEntries(own),
    detached: true,
    stdio: 'ignore',
  })
  child.on('error', () => {})
  child.unref()
  return true
}
