/** Which parts of a log are new to the ledger. */

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

test('the prompt that a session began with is, though it is older than the session by a hook’s run', () => {
  const startedAt = '2026-05-01T10:05:01Z'
  expect(untoldIn(LOG, { startedAt, toldUntil: undefined })).toEqual(LOG.slice(1))
  expect(untoldIn(LOG, { startedAt, toldUntil: '2026-05-01T10:04:59Z' })).toEqual(LOG.slice(2))
})

test('the prompt of a session that began with the use of a tool is, however long ago it was', () => {
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
