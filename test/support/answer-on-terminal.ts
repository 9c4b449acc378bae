/** Runs a command that asks a question on a terminal (util-linux's script(1), see `hasScript`) and answers it. */

import { spawn } from 'node:child_process'
import type { Repo } from './git-repo.ts'

/** Types `keys` when the first question appears. `command` is a shell command line. */
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
