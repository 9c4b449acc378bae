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

test('resolves an open question that the session asked earlier and no longer asks', () => {
  const resolved = (
    events: ReturnType<typeof asked>[],
    now: string[],
    ledger = open('Per user?'),
  ) => withAnswered<Asks>({ openQuestions: now }, events, 'one', ledger).resolvedQuestions
  expect(resolved([asked({})], ['Other?'])).toEqual(['Per user?'])
  expect(resolved([asked({})], ['Per user?'])).toBeUndefined()
  expect(resolved([asked({})], [], open())).toBeUndefined()
  // Questions of another session, of a handoff, or of a hand-written note.
  expect(resolved([asked({ session: 'two' })], [])).toBeUndefined()
  expect(resolved([asked({ stream: 'limit' })], [])).toBeUndefined()
  expect(resolved([asked({ type: 'note' })], [])).toBeUndefined()
})

test('clears next when the session had open steps in the ledger and now has none', () => {
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
