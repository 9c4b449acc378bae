/** What a memory tool's worker receives, and how little is lost if it does not answer. */

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { saveInClaudeMem } from '../../../src/io/memory/claude-mem.ts'

const MEMORY = { title: 'Context Checkpoint L2 at 87%', text: '# Café\n', project: 'app' }

async function worker(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: { line: string; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      asked.push({ line: `${request.method} ${request.url}`, body })
      answer(request, response)
    })
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = String((server.address() as AddressInfo).port)
  return { asked, env: { CLAUDE_MEM_WORKER_PORT: port, HTTP_PROXY: 'http://127.0.0.1:9' } }
}

test('sends the text once', async () => {
  const { asked, env } = await worker((_, response) => response.end('{"success":true}'))
  expect(await saveInClaudeMem(env, MEMORY)).toBeUndefined()
  expect(asked.map(({ line }) => line)).toEqual(['POST /api/memory/save'])
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual(MEMORY)
})

test.each([
  ['refuses', (response: ServerResponse) => response.writeHead(500).end('no'), 'status 500'],
  [
    'sends it elsewhere',
    (response: ServerResponse) => response.writeHead(307, { location: 'http://example.com' }).end(),
    'status 307',
  ],
  ['hangs up', (response: ServerResponse) => response.destroy(), 'ECONNRESET'],
  ['never answers', () => {}, 'ABORT_ERR'],
  ['never ends its answer', (response: ServerResponse) => response.write('{'), undefined],
])('gives up after one request to a worker that %s', async (_, answer, failed) => {
  const { asked, env } = await worker((__, response) => void answer(response))
  expect(await saveInClaudeMem(env, MEMORY)).toBe(failed)
  expect(asked).toHaveLength(1)
})

test('reports that no worker listens', async () => {
  expect(await saveInClaudeMem({ CLAUDE_MEM_WORKER_PORT: '1' }, MEMORY)).toBe('ECONNREFUSED')
})
