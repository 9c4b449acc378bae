/** Measures come from the transcripts and to-do lists of sessions. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measureSessions } from '../../../src/app/estimate/measure-sessions.ts'
import { ledgerRepo } from '../../support/git-repo.ts'
import { sessionContext, sessionHere } from '../../support/session-context.ts'

test('measures automatic compactions, the tokens they lost, and completed to-dos', async () => {
  const repo = ledgerRepo()
  const session = await sessionContext(repo.folder, repo.sandbox.env)
  const response = (id: string, tokens: number) => ({
    type: 'assistant',
    message: { id, usage: { input_tokens: tokens }, content: [] },
  })
  const boundary = (compactMetadata: object) => ({
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata,
  })
  const write = (name: string, records: readonly object[]) => {
    const path = join(repo.folder, '..', name)
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    return { transcript: { path, offset: 0 } }
  }
  await sessionHere(session, 'old', {
    ...write('old.jsonl', [
      response('a', 150_000),
      boundary({ trigger: 'auto', preTokens: 155_000 }),
      response('b', 45_000),
      boundary({ trigger: 'auto', preTokens: 160_000, postTokens: 40_000 }),
      boundary({ trigger: 'manual', preTokens: 99_000, postTokens: 1000 }),
    ]),
    lastSignOfLife: '2026-01-01T00:00:00Z',
    todos: [{ text: 'a', status: 'completed' }],
  })
  await sessionHere(session, 'new', {
    ...write('new.jsonl', [response('c', 20_000)]),
    lastSignOfLife: '2026-01-02T00:00:00Z',
    todos: [
      { text: 'a', status: 'completed' },
      { text: 'b', status: 'completed' },
      { text: 'c', status: 'in_progress' },
    ],
  })
  await sessionHere(session, 'untold', write('untold.jsonl', [{ type: 'user' }]))
  const { sessions, metrics } = await measureSessions(session)
  expect(sessions).toBe(2)
  expect(metrics.slice(0, 3)).toMatchObject([
    { name: 'context-lost', older: 230_000, newer: 0 },
    { name: 'mid-task-compaction', older: 100, newer: 0 },
    { name: 'tasks-per-session', older: 1, newer: 2 },
  ])
})
