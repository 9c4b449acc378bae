/** Which parts of a transcript are new to the ledger. */

import { expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import { untoldIn } from '../../../src/core/report/untold.ts'

const prompt = (time: string): TranscriptEntry => ({
  kind: 'prompt',
  text: 'Add a limit',
  at: parseInstant(`2026-05-01T${time}Z`)?.instant,
})
const LOG = [prompt('10:00:00'), prompt('10:04:59'), prompt('10:06:00')]

test('includes the prompt that started the session, though it is slightly older than the session', () => {
  const startedAt = '2026-05-01T10:05:01Z'
  expect(untoldIn(LOG, { startedAt, toldUntil: undefined })).toEqual(LOG.slice(1))
  expect(untoldIn(LOG, { startedAt, toldUntil: '2026-05-01T10:04:59Z' })).toEqual(LOG.slice(2))
})

test('includes the prompt of a session that began with a tool call, however old the prompt is', () => {
  const startedAt = '2026-05-01T10:05:30Z'
  const used: TranscriptEntry = {
    kind: 'tool',
    tool: { name: 'Edit', files: ['a.ts'], mayWrite: false, todos: undefined },
    at: parseInstant('2026-05-01T10:05:40Z')?.instant,
  }
  const [old, own, next] = LOG
  const log = [old, own, used, next].filter((entry) => entry !== undefined)
  expect(untoldIn(log, { startedAt, toldUntil: undefined })).toEqual(log.slice(1))
  expect(untoldIn(log, { startedAt, toldUntil: '2026-05-01T10:05:00Z' })).toEqual(log.slice(2))
})

test('a message or a failed call, which have no time, are as new as what came before them', () => {
  const failed = (label: string): TranscriptEntry => ({
    kind: 'tool',
    tool: { name: 'Bash', files: [], mayWrite: true, todos: undefined },
    label,
    failed: 'Exit code 1',
  })
  const [first, second, third] = LOG as [TranscriptEntry, TranscriptEntry, TranscriptEntry]
  const log = [
    first,
    failed('`npm test`'),
    second,
    { kind: 'assistant', text: 'Done.' } as const,
    third,
    failed('`npm run e2e`'),
  ]
  const startedAt = '2026-05-01T10:00:00Z'
  expect(untoldIn(log, { startedAt, toldUntil: undefined })).toEqual(log)
  expect(untoldIn(log, { startedAt, toldUntil: '2026-05-01T10:04:59Z' })).toEqual(log.slice(4))
  expect(untoldIn(log, { startedAt: '2026-05-01T10:05:01Z', toldUntil: undefined })).toEqual(
    log.slice(2),
  )
})

test('of a log without times, the first event reports everything and later events nothing', () => {
  const log: TranscriptEntry[] = [
    { kind: 'prompt', text: 'Add a limit' },
    { kind: 'assistant', text: 'Added.' },
  ]
  const startedAt = '2026-05-01T10:00:00Z'
  expect(untoldIn(log, { startedAt, toldUntil: undefined })).toEqual(log)
  expect(untoldIn(log, { startedAt, toldUntil: startedAt })).toEqual([])
})
