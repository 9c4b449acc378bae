/** A model that follows a script: the interface that Codex asks, on a port of this machine. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What it answers next: words, or a command that the agent is to run. */
export type Step = { readonly text: string } | { readonly command: string }

export interface Model {
  readonly port: number
  /** Bodies of the requests, as they came. */
  readonly requests: string[]
}

/** Past the script's end it says `Done.` */
export async function startModel(steps: readonly Step[]): Promise<Model> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push(body)
      const n = requests.length
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of eventsOf(steps[n - 1] ?? { text: 'Done.' }, n)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      }
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, requests }
}

function eventsOf(step: Step, n: number) {
  const id = `r${n}`
  const item =
    'command' in step
      ? {
          type: 'function_call',
          id: `f${n}`,
          call_id: `c${n}`,
          name: 'exec_command',
          arguments: JSON.stringify({ cmd: step.command }),
        }
      : {
          type: 'message',
          id: `m${n}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: step.text }],
        }
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  }
  return [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, usage } },
  ]
}
