/** Divides the open tasks into sessions that end at good stopping points. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { START_RATES } from '../../../src/core/estimate/work.ts'
import { openInOrder } from '../../../src/core/plan/order.ts'
import { isOpen } from '../../../src/core/plan/plan.ts'
import type { Plan } from '../../../src/core/plan/plan.ts'
import { readPlan } from '../../../src/core/plan/read-plan.ts'
import type { Session } from '../../../src/core/plan/sessions.ts'
import { planSessions } from '../../../src/core/plan/sessions.ts'
import { runs } from '../../support/long.ts'
import { anyPlanText, SPEC_KIT, SUPERPOWERS } from './plans.ts'

const read = (text: string): Plan => readPlan(text) as Plan
const planned = (texts: readonly string[], first: number, later: number): Session[] =>
  planSessions(
    texts.map((text) => ({ plan: read(text), sizes: new Map() })),
    START_RATES,
    { first, later },
  )
const ids = (sessions: readonly Session[]) =>
  sessions.map(({ tasks }) => tasks.map(({ unit }) => unit.task?.id))

test.each(['', '\n\n'])('an empty plan has no tasks: %j', (text) => {
  expect(planned([text], 100, 100)).toEqual([])
})

describe('order', () => {
  const order = (text: string) => openInOrder(read(text)).map(({ task }) => task?.id)

  test('puts a task after those it depends on, and leaves out done tasks', () => {
    expect(order(SUPERPOWERS)).toEqual(['3', '2'])
    expect(
      order('- [ ] T1 a (depends on T3)\n- [ ] T2 b\n- [ ] T3 c (depends on T2, T9)\n'),
    ).toEqual(['T2', 'T3', 'T1'])
  })

  test('tolerates a cycle and a long chain', () => {
    expect(order('- [ ] T1 a (depends on T2)\n- [ ] T2 b (depends on T1)\n').toSorted()).toEqual([
      'T1',
      'T2',
    ])
    const chain = Array.from({ length: 5000 }, (_, i) => `- [ ] T${i} x (depends on T${i + 1})\n`)
    expect(order(chain.join(''))[0]).toBe('T4999')
  })

  test('contains each open task once, whatever the dependencies', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()), { maxLength: 8 }),
        (tasks) => {
          const text = tasks
            .map(
              ([after, isDone], i) =>
                `- [${isDone ? 'x' : ' '}] T${i + 1} a (depends on T${after})\n`,
            )
            .join('')
          const units = read(text).units.filter(isOpen)
          const found = openInOrder(read(text))
          expect(new Set(found.map(({ line }) => line))).toEqual(
            new Set(units.map(({ line }) => line)),
          )
          expect(found).toHaveLength(units.length)
        },
      ),
      runs(500),
    )
  })
})

describe('sessions', () => {
  test('contain every open task, in order, within the limit of each session', () => {
    fc.assert(
      fc.property(
        fc.array(anyPlanText, { maxLength: 3 }),
        fc.constantFrom(1, 9000, 30_000, 1e9),
        fc.constantFrom(9000, 30_000, 1e9),
        (texts, first, later) => {
          const sessions = planned(texts, first, later)
          const lines = sessions.flatMap(({ tasks }) =>
            tasks.map(({ source, unit }) => [source, unit.line]),
          )
          const open = texts.flatMap((text, source) =>
            openInOrder(read(text)).flatMap(({ line, task, text: said }) =>
              task === undefined && said.trim() === '' ? [] : [[source, line]],
            ),
          )
          expect(lines).toEqual(open)
          for (const { tasks, tokens, isTooLarge } of sessions) {
            expect(isTooLarge && tasks.length > 1).toBe(false)
            if (!isTooLarge) expect(tokens).toBeLessThanOrEqual(later)
          }
        },
      ),
      runs(500),
    )
  })

  test('end at a checkpoint, and the next plan does not begin in the middle of a session', () => {
    const fresh = SPEC_KIT.replaceAll(/\[[xX]\]/g, '[ ]')
    expect(ids(planned([fresh], 20_000, 20_000))).toEqual([
      ['T001', 'T002'],
      ['T003', 'T004', 'T005'],
    ])
    expect(ids(planned([fresh, '- [ ] A-1 one\n- [ ] A-2 two\n'], 22_000, 22_000))).toEqual([
      ['T001', 'T002'],
      ['T003', 'T004', 'T005'],
      ['A-1', 'A-2'],
    ])
  })

  test('the first one takes what fits, up to the best stopping point', () => {
    const fresh = SPEC_KIT.replaceAll(/\[[xX]\]/g, '[ ]')
    expect(ids(planned([fresh], 15_000, 60_000))).toEqual([
      ['T001', 'T002'],
      ['T003', 'T004', 'T005'],
    ])
    // Nothing fits into what remains: all of it is for later.
    expect(ids(planned([fresh], 10, 60_000))).toHaveLength(1)
    expect(planned(['- [x] T1 done\n'], 10, 10)).toEqual([])
  })
})
