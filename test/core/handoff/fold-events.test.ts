/**
 * What newer events say is put into a handoff by the same edits that commands use: nothing is shown
 * that is not kept.
 */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../../src/core/event/event.ts'
import { itemHash, itemKey } from '../../../src/core/event/item-text.ts'
import { handoffChange } from '../../../src/core/handoff/change.ts'
import type { Edit } from '../../../src/core/handoff/edit-lines.ts'
import { applyEdits } from '../../../src/core/handoff/edit-lines.ts'
import { setUpdated } from '../../../src/core/handoff/edits.ts'
import { foldEvents } from '../../../src/core/handoff/fold-events.ts'
import { focusesOf, itemsOf, readHandoff } from '../../../src/core/handoff/handoff.ts'
import { viewHandoff } from '../../../src/core/handoff/view.ts'
import { addDone, addNext } from '../../../src/core/handoff/work-edits.ts'
import { LedgerError } from '../../../src/core/errors/errors.ts'
import { anyText, event, instant } from '../../support/arbitraries.ts'
import { anyHandoffText } from '../../support/handoffs.ts'
import { runs } from '../../support/long.ts'

const DOCUMENT = `## Ledger
**Updated:** 2026-01-10T00:00:00Z
**Goal:** ship

### Now
[->] own
  - nested

### This Session
- [x] did

### Next
- [ ] a
  - nested in a
- [ ] b

### Decisions
- k: old
- other: stays

### Open Questions
- UNCONFIRMED: q?
- r?
`
const OWN = ['own', 'did', 'a', 'b']

const anyItem = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('own', 'a', 'b', 'c', 'd', 'did', '[x] a', '(none)') },
  { weight: 1, arbitrary: anyText },
)
const anyItems = fc.array(anyItem, { maxLength: 3 })
const anyQuestions = fc.array(fc.constantFrom('q?', 'UNCONFIRMED: q?', 'r?', 's?', '---'), {
  maxLength: 2,
})
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const anyDecision = fc
  .record({
    key: fc.constantFrom('k', 'K', '*k*', 'new', '1. x'),
    value: fc.oneof(fc.constantFrom('1', null), anyText),
  })
  .map(({ key, value }) => ({ key, value, text: value ?? '' }))

/** Events of one stream, before, at and after the date of the document. */
const anyStream: fc.Arbitrary<LedgerEvent[]> = fc
  .array(
    fc.record({
      ts: fc.integer({ min: -1, max: 4 }).map((ms) => at(ms)),
      agent: fc.constantFrom('crisp', 'toast'),
      branch: fc.constantFrom('main', 'topic'),
      type: fc.constantFrom('note', 'session_end'),
      goal: optional(fc.constantFrom('g1', 'g2', '(none)')),
      test: optional(fc.constantFrom('t1', 't2')),
      now: optional(anyItem),
      thisSession: anyItems,
      next: optional(anyItems),
      decisions: fc.array(anyDecision, { maxLength: 2 }),
      openQuestions: anyQuestions,
      resolvedQuestions: anyQuestions,
      supersedes: fc.constantFrom([], [], ['crisp']),
    }),
    { maxLength: 6 },
  )
  .map((bodies) => bodies.map((body, i) => event({ ...body, file: `f${i}.md`, id: `${i}` })))

function at(ms: number): LedgerEvent['ts'] {
  const start = Date.UTC(2026, 0, 10) + ms
  return instant(new Date(start).toISOString())
}

const fold = (text: string, events: readonly LedgerEvent[]) => foldEvents(readHandoff(text), events)
const viewOf = (text: string, ...events: LedgerEvent[]) => viewHandoff(fold(text, events).handoff)
const later = (fields: Partial<LedgerEvent>, ms = 1) =>
  event({ ts: at(ms), id: String(ms), file: `${ms}.md`, ...fields })

describe('laws', () => {
  const law = (check: (events: LedgerEvent[]) => void) =>
    fc.assert(fc.property(anyStream, check), runs(1000, 40))

  test('folding twice gives the same as folding once', () => {
    law((events) => {
      const { text } = fold(DOCUMENT, events).handoff
      expect(fold(text, events).handoff.text).toBe(text)
    })
  })

  test('an update does not change what is shown', () => {
    law((events) => {
      const shown = fold(DOCUMENT, events)
      const updated = applyEdits(shown.handoff.text, [setUpdated(at(10))])
      const after = fold(updated, events)
      expect(after.count).toBe(0)
      expect(viewHandoff(after.handoff)).toEqual({ ...viewHandoff(shown.handoff), updated: at(10) })
    })
  })

  test('an update reports its own additions, not what it took in from events', () => {
    law((events) => {
      const taken = fold(DOCUMENT, events).handoff.text
      const update = (...edits: Edit[]) => applyEdits(taken, [...edits, setUpdated(at(10))])
      expect(handoffChange(DOCUMENT, update(), events)).toBeUndefined()
      const own = handoffChange(DOCUMENT, update(addDone('mine'), addNext('then')), events)
      expect(own?.thisSession).toEqual(['mine'])
      expect(own?.next?.filter((text) => !OWN.includes(text))).toEqual(['then'])
    })
  })

  test("loses nothing of the document's own content", () => {
    law((events) => {
      const { handoff } = fold(DOCUMENT, events)
      const { now, next, thisSession, decisions } = viewHandoff(handoff)
      const keys = [...now, ...next, ...thisSession].map(itemKey)
      expect(keys).toEqual(expect.arrayContaining(OWN))
      expect(decisions.get('other')).toBe('stays')
      expect(handoff.text).toContain('  - nested\n')
      expect(handoff.text).toContain('  - nested in a\n')
      expect(focusesOf(handoff).length).toBeLessThanOrEqual(1)
      const open = [...now, ...next].map(itemKey)
      expect(new Set(open).size).toBe(open.length)
    })
  })

  test('the order of events does not matter', () => {
    law((events) => {
      const { text } = fold(DOCUMENT, events.toReversed()).handoff
      expect(text).toBe(fold(DOCUMENT, events).handoff.text)
    })
  })

  test('any document is folded, or refused as a whole', () => {
    fc.assert(
      fc.property(anyHandoffText, anyStream, (text, events) => {
        try {
          const { handoff } = fold(text, events)
          const before = readHandoff(text)
          const kept = [handoff.byName.next, handoff.byName.thisSession].flatMap(itemsOf)
          const texts = [...kept, ...focusesOf(handoff)].map(({ words }) => itemKey(words.text))
          const own = [...focusesOf(before), ...itemsOf(before.byName.next)]
          expect(texts).toEqual(expect.arrayContaining(own.map(({ words }) => itemKey(words.text))))
        } catch (error) {
          if (!(error instanceof LedgerError)) throw error
          expect(error.code).toBe('HANDOFF_UNREADABLE')
        }
      }),
      runs(1000, 40),
    )
  })
})

describe('by example', () => {
  test('returns the same handoff if no event is newer', () => {
    const handoff = readHandoff(DOCUMENT)
    const events = [later({ now: 'x' }, 0), later({ now: 'y' }, -1)]
    expect(foldEvents(handoff, events)).toEqual({ handoff, count: 0 })
    expect(foldEvents(handoff, events).handoff).toBe(handoff)
  })

  test('takes the last Now as Now, and moves that of the document to the top of Next', () => {
    const events = [later({ now: 'x', agent: 'crisp' }), later({ now: 'b' }, 2)]
    expect(viewOf(DOCUMENT, ...events)).toMatchObject({ now: ['b'], next: ['own', 'a'] })
    const done = later({ thisSession: ['b', 'own'] }, 3)
    const view = viewOf(DOCUMENT, ...events, done)
    expect(view).toMatchObject({ now: [], next: ['a'], thisSession: ['did', 'b', 'own'] })
  })

  test('takes the last list of each lane, without what was done since', () => {
    const events = [
      later({ next: ['x'], agent: 'crisp' }),
      later({ next: ['y', 'a', 'done'], branch: 'topic' }, 2),
      later({ next: ['z'], agent: 'crisp' }, 3),
      later({ thisSession: ['done', 'b'] }, 4),
    ]
    expect(viewOf(DOCUMENT, ...events).next).toEqual(['a', 'y', 'z'])
    const over = later({ supersedes: ['crisp'], branch: undefined }, 5)
    expect(viewOf(DOCUMENT, ...events, over).next).toEqual(['a', 'y'])
    expect(viewOf(DOCUMENT, later({ next: ['x'] }), later({ next: [] }, 2)).next).toEqual([
      'a',
      'b',
    ])
  })

  test('reopens an item that is planned again after it was done', () => {
    const events = [later({ thisSession: ['a'] }), later({ next: ['a'] }, 2)]
    expect(viewOf(DOCUMENT, ...events)).toMatchObject({ next: ['a', 'b'], thisSession: ['did'] })
  })

  test('recognizes the items that an archived event did by their hashes', () => {
    const done = [itemHash(itemKey('a')), itemHash(itemKey('own')), itemHash(itemKey('far'))]
    const view = viewOf(DOCUMENT, later({ next: ['far', 'near'] }), later({ done }, 2))
    expect(view).toMatchObject({ now: [], next: ['b', 'near'] })
    expect(view.thisSession).toEqual(['did', 'own', 'a'])
  })

  test('keeps the last word on decisions and questions', () => {
    const decide = (value: string | null) => [{ key: 'k', value, text: value ?? '' }]
    const view = viewOf(
      DOCUMENT,
      later({ decisions: decide('new'), openQuestions: ['s?'], resolvedQuestions: ['q?'] }),
      later({ decisions: decide(null), openQuestions: ['t?'], resolvedQuestions: ['s?', 't?'] }, 2),
    )
    expect([...view.decisions]).toEqual([['other', 'stays']])
    expect(view.openQuestions).toEqual(['r?', 't?'])
  })

  test('takes from the end of a session only done items of the document, not its turns', () => {
    const thisSession = ['“Do a”: a is done, and it took long.', 'a']
    expect(viewOf(DOCUMENT, later({ thisSession, type: 'session_end' }))).toMatchObject({
      next: ['b'],
      thisSession: ['did', 'a'],
    })
  })

  test('does not replace the goal of the document with a goal generated by a session', () => {
    const made = later({ goal: 'fix the typo', test: 'npm test', type: 'session_end' }, 2)
    expect(viewOf(DOCUMENT, made)).toMatchObject({ goal: 'ship', test: 'npm test' })
    expect(viewOf(DOCUMENT, later({ goal: 'all of it' }), made).goal).toBe('all of it')
  })

  test('a new goal removes the copy of the old one from Resolved', () => {
    const text = DOCUMENT.replace(
      /\n*$/,
      '\n\n### Workflow State\n\n#### Resolved\n- goal: "ship"\n',
    )
    expect(viewOf(text).resolved.size).toBe(1)
    expect(viewOf(text, later({ goal: 'all of it' })).resolved.size).toBe(0)
  })
})
