/** Which of a session's earlier questions an event resolves. */

import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { withAnswered } from '../../../src/core/report/answered.ts'

const by = { file: 'x', agent: 'claude', ts: '2026-01-01T00:00:00.000000000Z', type: undefined }
const open = (...texts: string[]) =>
  ({ openQuestions: texts.map((value) => ({ value, by })), next: [] }) as unknown as Parameters<
    typeof withAnswered
  >[3]
const asked = (fields: Partial<LedgerEvent>) => ({
  file: 'x',
  session: 'one',
  type: 'session_end',
  stream: undefined,
  openQuestions: ['Per user?'],
  ...fields,
})

interface Asks {
  readonly openQuestions: readonly string[]
  readonly resolvedQuestions?: readonly string[]
}

test('a question of its own that it asks no longer, and that is open', () => {
  const resolved = (
    events: ReturnType<typeof asked>[],
    now: string[],
    ledger = open('Per user?'),
  ) => withAnswered<Asks>({ openQuestions: now }, events, 'one', ledger).resolvedQuestions
  expect(resolved([asked({})], ['Other?'])).toEqual(['Per user?'])
  expect(resolved([asked({})], ['Per user?'])).toBeUndefined()
  expect(resolved([asked({})], [], open())).toBeUndefined()
  // Another session's, a handoff's, somebody's own words.
  expect(resolved([asked({ session: 'two' })], [])).toBeUndefined()
  expect(resolved([asked({ stream: 'limit' })], [])).toBeUndefined()
  expect(resolved([asked({ type: 'note' })], [])).toBeUndefined()
})

test('steps of its own are over where it has none any more', () => {
  const ledger = { ...open(), next: [{ value: 'Add a test', by }] } as unknown as Parameters<
    typeof withAnswered
  >[3]
  const next = (event: ReturnType<typeof asked>, now?: string[], known = ledger) =>
    withAnswered<{ next?: readonly string[] }>(now ? { next: now } : {}, [event], 'one', known).next
  expect(next(asked({}))).toEqual([])
  expect(next(asked({}), ['Merge it'])).toEqual(['Merge it'])
  expect(next(asked({}), undefined, open())).toBeUndefined()
  expect(next(asked({ file: 'y' }))).toBeUndefined()
  expect(next(asked({ session: 'two' }))).toBeUndefined()
  expect(next(asked({ type: 'note' }))).toBeUndefined()
})
