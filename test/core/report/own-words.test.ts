/** The agent's own record of a session, combined with what its transcript says. */

import { expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../src/core/agents/agent-signal.ts'
import { parseInstant } from '../../../src/core/event/instant.ts'
import { besideOwnWords } from '../../../src/core/report/own-words.ts'

const at = (minute: number) => parseInstant(`2026-05-01T10:0${minute}:00Z`)!.instant
const READ = { name: 'Read', files: [], mayWrite: false, todos: undefined }
const tool = (minute: number | undefined, ...files: string[]): TranscriptEntry => ({
  kind: 'tool',
  tool: { ...READ, files },
  at: minute === undefined ? undefined : at(minute),
})
const LOG: TranscriptEntry[] = [
  { kind: 'prompt', text: 'Add a limit', at: at(1) },
  tool(2, 'a.ts'),
  tool(6),
  { kind: 'assistant', text: 'It is recorded.' },
]
const SEEN = { now: 'It is recorded.', next: ['Test it'], thisSession: ['Changed a.ts'] }
const own = (minute: number, fields: object = { now: 'The limit holds.' }) => ({
  session: 's',
  type: 'progress',
  ts: at(minute),
  now: undefined,
  next: undefined,
  ...fields,
})
const beside = (events: readonly ReturnType<typeof own>[], log = LOG) =>
  besideOwnWords(SEEN, events, 's', log)

test('drops now and next field by field when the agent recorded them, and keeps this_session', () => {
  expect(beside([own(3)])).toEqual({ next: SEEN.next, thisSession: SEEN.thisSession })
  expect(beside([own(3, { next: [] })])).toEqual({ now: SEEN.now, thisSession: SEEN.thisSession })
  expect(beside([own(3), own(4, { next: ['x'] })])).toEqual({ thisSession: SEEN.thisSession })
})

test('ignores a record that is older than the last changed file or the last prompt', () => {
  expect(beside([own(1)])).toEqual(SEEN)
  expect(beside([own(3)], [...LOG, tool(5, 'b.ts')])).toEqual(SEEN)
  expect(beside([own(3)], [...LOG, { kind: 'prompt', text: 'More', at: at(5) }])).toEqual(SEEN)
  expect(beside([own(3)], [...LOG, tool(undefined, 'b.ts')])).toEqual(SEEN)
})

test('leaves no event when nothing else remains to be said', () => {
  expect(besideOwnWords({ now: 'x' }, [own(3)], 's', LOG)).toBeUndefined()
})

test('ignores the events of other sessions and checkpoints', () => {
  expect(beside([own(3, { now: 'x', session: 'other' })])).toEqual(SEEN)
  expect(beside([own(3, { now: 'x', type: 'checkpoint' })])).toEqual(SEEN)
  expect(beside([])).toEqual(SEEN)
})
