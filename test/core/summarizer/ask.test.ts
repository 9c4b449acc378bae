/** When an agent is asked to record its work, and in which words. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AskFacts } from '../../../src/core/summarizer/ask.ts'
import { askText, isAskDue } from '../../../src/core/summarizer/ask.ts'
import { runs } from '../../support/long.ts'

const minutes = (count: number) => count * 60_000

/** An hour of work without a record. */
const DUE: AskFacts = {
  now: minutes(100),
  interval: minutes(30),
  startedAt: minutes(40),
  workedAt: minutes(90),
  recordedAt: undefined,
  askedAt: undefined,
}

const CASES: readonly [name: string, about: Partial<AskFacts>, isDue: boolean][] = [
  ['due: an hour of work without a record', {}, true],
  ['not due: nothing was changed', { workedAt: undefined }, false],
  ['not due: no interval', { interval: undefined }, false],
  ['not due: a session that began just now', { startedAt: minutes(71) }, false],
  ['due: a session that began an interval ago', { startedAt: minutes(70) }, true],
  ['not due: recorded just now, before more work', { recordedAt: minutes(71) }, false],
  ['due: recorded long ago, and worked since', { recordedAt: minutes(60) }, true],
  [
    'not due: recorded after the last change',
    { workedAt: minutes(50), recordedAt: minutes(51) },
    false,
  ],
  ['due: asked long ago, and worked since', { askedAt: minutes(60) }, true],
  ['not due: asked about this very work', { workedAt: minutes(50), askedAt: minutes(60) }, false],
  ['not due: asked just now', { askedAt: minutes(80) }, false],
]

test.each(CASES)('%s', (_, about, isDue) => {
  expect(isAskDue({ ...DUE, ...about })).toBe(isDue)
})

test('an agent that was asked is not asked again before there is new work', () => {
  const time = fc.option(fc.integer({ min: 0, max: 6 }).map(minutes), { nil: undefined })
  const facts = fc.record({
    now: fc.integer({ min: 0, max: 6 }).map(minutes),
    interval: time,
    startedAt: time,
    workedAt: time,
    recordedAt: time,
    askedAt: time,
  })
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 9 }), (before, later) => {
      if (!isAskDue(before) || (before.workedAt ?? 0) > before.now) return
      const after = { ...before, askedAt: before.now, now: before.now + minutes(later) }
      expect(isAskDue(after)).toBe(false)
    }),
    runs(2000),
  )
})

test('names the agent and the session of the event', () => {
  expect(askText('claude-3f2a', 's-1')).toContain(
    'ledger-git event add --agent claude-3f2a --session s-1 --now "',
  )
  expect(askText("a 'b'", 's-1')).toContain(String.raw`--agent 'a '\''b'\''' --session`)
})
