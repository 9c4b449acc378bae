/** Starts a helper process and waits for its answers: one named pipe for requests, one for answers. */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { receive, send } = createRequire(import.meta.url)('./frames.cjs')

/**
 * @param {string} program file beside this one; it gets the names of its pipes
 * @returns {(head: object, ...parts: (string | Uint8Array)[]) => [any, ...Buffer[]]}
 */
export function startHelper(program) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-'))
  const names = ['requests', 'answers'].map((name) => join(folder, name))
  execFileSync('mkfifo', names)
  const file = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [file, ...names], { stdio: ['ignore', 2, 2] })
  child.unref()
  // Each side waits until the other one has opened the pipe, too. The helper ends when the pipe closes.
  const requests = openSync(names[0], 'w')
  const answers = openSync(names[1], 'r')
  return (head, ...parts) => {
    send(requests, head, ...parts)
    const answer = receive(answers)
    if (answer === undefined) throw new Error(`${program} has died`)
    return answer
  }
}
