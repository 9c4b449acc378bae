/** Runs a command of the user's with the shell; what it prints goes to standard error. */

import { spawn } from 'node:child_process'
import { exitStatus } from './process-group.ts'

/** Its exit status, 128 and the signal's number where it was killed, 127 where there is no shell. */
export function runCommand(
  command: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 2, 2] })
    child.on('error', () => resolve(127))
    child.on('close', (status, signal) => resolve(exitStatus(status, signal)))
  })
}
