/**
 * Gives a text to claude-mem's worker on this machine, without waiting long for its answer.
 *
 * Loopback only, and no proxy: what a checkpoint says stays on this machine.
 */

import { Agent, request } from 'node:http'
import { memoryPort } from '../../core/ralph/memory.ts'
import type { MemoryText } from '../../app/shadow/session-ports.ts'

/** Milliseconds: an agent's hook waits for it. */
const TIMEOUT = 500

/** Undefined if the text was accepted; otherwise why not. */
export function saveInClaudeMem(
  env: NodeJS.ProcessEnv,
  memory: MemoryText,
  uid = process.getuid?.() ?? 0,
): Promise<string | undefined> {
  const body = Buffer.from(JSON.stringify(memory))
  return new Promise((resolve) => {
    const sending = request({
      host: '127.0.0.1',
      port: memoryPort(env, uid),
      path: '/api/memory/save',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
      // A separate one: Node's may lead to a proxy.
      agent: new Agent(),
      signal: AbortSignal.timeout(TIMEOUT),
    })
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
    sending.on('response', (answer) => {
      const { statusCode = 0 } = answer
      answer.on('error', () => {})
      answer.destroy()
      resolve(statusCode >= 200 && statusCode < 300 ? undefined : `status ${statusCode}`)
    })
    sending.end(body)
  })
}
