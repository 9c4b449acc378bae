/** Runs one of the user's commands in a shell; its output goes to standard error. */

import { spawn } from 'node:child_process'
import { exitStatus } from './process-group.ts'

/** Returns its exit status: 128 plus the signal's number if it was killed, 127 if there is no shell. */
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
