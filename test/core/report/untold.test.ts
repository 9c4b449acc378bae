/** What of a log is new to the ledger. */

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
