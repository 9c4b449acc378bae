/**
 * A Linear server on the loopback address. It answers what Linear's published schema allows and refuses everything
 * else, so that an operation that Linear would not understand fails here, too. It misbehaves as `moods` says.
 */

import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, graphql, parse, validate } from 'graphql'
import { onTestFinished } from 'vitest'

const SCHEMA = buildSchema(
  readFileSync(new URL('../io/tracker/linear-schema.graphql', import.meta.url), 'utf8'),
)

/** How one request is answered: a word, or a literal response. */
export type ServerMood =
  | 'well'
  /** The request is carried out, and the connection ends without an answer. */
  | 'lost'
  /** The connection ends before anything is carried out. */
  | 'cut'
  | 'silent'
  | { status: number; headers?: Record<string, string>; body?: string }

const STATES = [
  { id: 'todo', name: 'Todo' },
  { id: 'paused', name: 'Paused' },
]

interface Created {
  readonly id: string
  readonly [field: string]: unknown
}

export class LinearServer {
  readonly comments: Created[] = []
  readonly children: Created[] = []
  readonly labels: { id: string; name: string; team: { id: string } | null }[] = []
  readonly attachments = new Map<string, string>()
  issueLabels = ['label-kept']
  state = 'todo'
  moods: ServerMood[] = []
  onAsked = (): void => {}
  /** Names of the operations that were received; `invalid` has those that the schema does not allow. */
  readonly asked: string[] = []
  readonly invalid: string[] = []
  readonly keys = new Set<string | undefined>()
  endpoint = ''

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { query, variables } = JSON.parse(Buffer.concat(parts).toString('utf8')) as {
      query: string
      variables: Record<string, unknown>
    }
    this.keys.add(request.headers.authorization)
    this.asked.push(/^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '')
    this.onAsked()
    const mood = this.moods.shift() ?? 'well'
    if (mood === 'silent') return
    if (mood === 'cut') return void request.socket.destroy()
    if (typeof mood === 'object') {
      response.writeHead(mood.status, mood.headers).end(mood.body ?? '')
      return
    }
    const problems = validate(SCHEMA, parse(query))
    this.invalid.push(...problems.map(String))
    const source = {
      schema: SCHEMA,
      source: query,
      variableValues: variables,
      rootValue: this.#root,
    }
    const result = await graphql(source)
    if (mood === 'lost') return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  }

  readonly #root = {
    issue: ({ id }: { id: string }) => {
      if (id !== 'ANV-1') throw new Error('Entity not found: Issue')
      type Filtered = { filter: Record<string, { contains: string }> }
      const holding =
        (list: readonly Created[], field: string) =>
        ({ filter: { [field]: text } }: Filtered) => ({
          nodes: list.filter((one) => String(one[field]).includes(text?.contains ?? '')),
        })
      return {
        id: 'uuid-of-1',
        team: {
          id: 'team-anv',
          states: {
            nodes: STATES,
          },
        },
        state: STATES.find(({ id }) => id === this.state),
        labels: { nodes: this.issueLabels.map((label) => ({ id: label })) },
        comments: holding(this.comments, 'body'),
        children: holding(this.children, 'description'),
      }
    },
    issueLabels: ({ filter }: { filter: { name: { eqIgnoreCase: string } } }) => ({
      nodes: this.labels.filter(
        ({ name }) => name.toLowerCase() === filter.name.eqIgnoreCase.toLowerCase(),
      ),
    }),
    issueLabelCreate: ({ input }: { input: { id: string; name: string; teamId: string } }) => {
      const label = { id: input.id, name: input.name, team: { id: input.teamId } }
      this.labels.push(label)
      return { success: true, issueLabel: label }
    },
    issueUpdate: ({ input }: { input: { addedLabelIds?: string[]; stateId?: string } }) => {
      this.issueLabels = [...new Set([...this.issueLabels, ...(input.addedLabelIds ?? [])])]
      this.state = input.stateId ?? this.state
      return { success: true }
    },
    attachmentCreate: ({ input }: { input: { url: string; title: string } }) => {
      this.attachments.set(input.url, input.title)
      return { success: true }
    },
    commentCreate: ({ input }: { input: Created }) => create(this.comments, input),
    commentUpdate: ({ id, input }: { id: string; input: { body: string } }) => {
      const at = this.comments.findIndex((comment) => comment.id === id)
      this.comments[at] = { id, ...input }
      return { success: at >= 0 }
    },
    issueCreate: ({ input }: { input: Created }) => create(this.children, input),
  }
}

function create(list: Created[], made: Created) {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  if (!uuid.test(made.id)) throw new Error('id must be a UUID of version 4')
  if (list.some(({ id }) => id === made.id)) throw new Error('id is taken')
  list.push(made)
  return { success: true }
}

/** The server ends with the test. `isClosed`: nobody listens at its address any more. */
export async function linearServer({ isClosed = false } = {}): Promise<LinearServer> {
  const linear = new LinearServer()
  const server: Server = createServer((request, response) => void linear.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  linear.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  if (isClosed) server.close()
  return linear
}
