/** Starts this program once more, for work that nobody waits for. */

import { spawn } from 'node:child_process'

/** Its process; undefined where it cannot be started. */
export function startDetached(
  words: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): number | undefined {
  const [node, entry] = process.argv
  if (node === undefined || entry === undefined) return undefined
  const child = spawn(process.execPath, [entry, ...words], {
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  })
  child.on('error', () => {})
  child.unref()
  return child.pid
}
