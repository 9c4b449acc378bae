/** A command on a terminal (util-linux's script(1), `hasScript`) that asks, and is answered. */

import { spawn } from 'node:child_process'
import type { Repo } from './git-repo.ts'

/** Types `keys` at the first question. `command`: for the shell. */
export function answerOnTerminal(
  repo: Repo,
  command: string,
  keys: string,
): Promise<{ status: number; out: string }> {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: repo.folder,
    env: { ...repo.sandbox.env, TERM: 'dumb' },
  })
  let out = ''
  let isTyped = false
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
    if (isTyped || !out.includes('[y/N] ')) return
    isTyped = true
    child.stdin.write(keys)
  })
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status: status ?? 128, out }))
  })
}
