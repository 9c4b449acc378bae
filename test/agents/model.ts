/** A model that follows a script, on a port of this machine, behind the interface that each agent uses. */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { DIALECTS } from './dialects.ts'

export interface ToolCall {
  readonly name: string
  /** As the model writes it: an object, or one text for a tool that takes any text. */
  readonly input: Readonly<Record<string, unknown>> | string
}

/** Tokens that an answer claims to have cost; `input` is what was not in the cache. */
export interface Usage {
  readonly input?: number
  readonly cached?: number
  readonly output?: number
}

/** What the model answers next: words, tools that it wants to use, or both. */
export interface Answer {
  readonly text?: string
  readonly tools?: readonly ToolCall[]
  readonly usage?: Usage
  /** Answers only the conversation in which the user's last words contain this: a subagent, a summary. */
  readonly to?: string
  /** The model gets the request and never answers. */
  readonly hangs?: boolean
  /** The model answers once this is settled. */
  readonly after?: () => Promise<void>
}

export interface Model {
  readonly port: number
  /** Bodies of the requests as they came. */
  readonly requests: string[]
  /** Settles once there were this many requests. */
  asked(count: number): Promise<void>
}

/** After the script's end, and when asked for a title or the like, it says `Done.` */
export async function startModel(script: readonly Answer[]): Promise<Model> {
  const left = [...script]
  const requests: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method, url = '' } = request
      const dialect = Object.values(DIALECTS).find(({ path }) => path.test(url))
      if (dialect === undefined || method !== 'POST') return void response.writeHead(404).end()
      requests.push(body)
      const asked = JSON.parse(body) as Record<string, unknown>
      const last = dialect.messages(asked).findLast(({ isUser, text }) => isUser && text !== '')
      const said = last?.text ?? ''
      const isFor = ({ to }: Answer) =>
        to === undefined ? dialect.isWork(asked) : said.includes(to)
      // An answer that names its conversation takes precedence.
      const at = [...left.filter(({ to }) => to !== undefined), ...left].find(isFor)
      if (at !== undefined) left.splice(left.indexOf(at), 1)
      const answer = at ?? { text: 'Done.' }
      const events = dialect.events(answer, requests.length)
      // This is how Gemini asks for a summary.
      const isWhole = url.includes(':generateContent')
      if (isWhole) response.writeHead(200, JSON_TYPE).end(JSON.stringify(events[0]))
      else if (answer.hangs !== true) {
        const waited = answer.after?.() ?? Promise.resolve()
        void waited.finally(() => stream(response, events))
      }
      server.emit('asked')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    asked: async (count) => {
      while (requests.length < count) await once(server, 'asked')
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function stream(response: ServerResponse, events: readonly Readonly<Record<string, unknown>>[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const type = typeof event['type'] === 'string' ? `event: ${event['type']}\n` : ''
    response.write(`${type}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}
