/**
 * Parts of a plan, as its boxes are ticked: a part is done when all of its tasks are, and stays
 * done.
 */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTrackedPlans, partOf, partsNow, placeAmong } from '../../../src/core/plan/parts.ts'
import { readPlan } from '../../../src/core/plan/read-plan.ts'
import { renderJson } from '../../../src/core/text/json-values.ts'
import { runs } from '../../support/long.ts'

const planOf = (ticks: readonly boolean[]) => {
  const lines = ticks.map((isDone, i) => `- [${isDone ? 'x' : ' '}] T${i + 1} part ${i}`)
  const plan = readPlan(`# Tasks\n\n${lines.join('\n')}\n`)
  if (plan === undefined) throw new Error('no plan')
  return plan
}
const cut = (ticks: readonly boolean[], size: number) => {
  const { units } = planOf(ticks)
  const starts = units.flatMap((_, i) => (i % size === 0 ? [i] : []))
  return starts.map((at) => partOf(units.slice(at, at + size)))
}

test('a part is done when its tasks are done, wherever the cuts are', () => {
  const parts = cut([false, false, false, false], 2)
  const place = (...ticks: boolean[]) => placeAmong(planOf(ticks), parts)
  const done = (...ticks: boolean[]) => partsNow(planOf(ticks), parts).map(({ isDone }) => isDone)
  expect(place(false, false, false, false)).toBe('before')
  expect(place(true, false, false, false)).toBe('inside')
  expect(place(true, true, false, false)).toBe('between')
  expect(place(true, true, true, false)).toBe('inside')
  expect(place(true, true, true, true)).toBe('between')
  expect(done(true, true, true, false)).toEqual([true, false])
  expect(done(false, true, true, true)).toEqual([false, true])
})

test('worktrees may report in any order, and nothing is reverted', () => {
  const ticks = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 })
  fc.assert(
    fc.property(ticks, ticks, fc.integer({ min: 1, max: 6 }), (a, b, size) => {
      const parts = cut([false, false, false, false, false, false], size)
      const [one, other] = [planOf(a), planOf(b)]
      const both = partsNow(other, partsNow(one, parts))
      expect(partsNow(one, partsNow(other, parts))).toEqual(both)
      expect(partsNow(one, both)).toEqual(both)
      expect(partsNow(one, parts)).toEqual(cut(a, size))
    }),
    runs(100),
  )
})

test('a task whose title occurs twice is done when both are', () => {
  const twice = (second: string) => readPlan(`- [x] T1 test\n- [${second}] T1 test\n- [ ] T2 end\n`)
  const [open, done] = [twice(' '), twice('x')]
  if (open === undefined || done === undefined) throw new Error('no plan')
  const parts = [partOf(open.units.slice(0, 1))]
  expect(placeAmong(open, parts)).toBe('before')
  expect(placeAmong(done, parts)).toBe('between')
})

test('reads back what it stored, and ignores damaged data', () => {
  const tracked = { issue: 'ANV-1', plan: 'tasks.md', parts: cut([true, false], 1) }
  expect(parseTrackedPlans(renderJson([tracked]))).toEqual([tracked])
  for (const text of [undefined, '', '{}', '[{"issue":"ANV-1"}]', '[1,null]'])
    expect(parseTrackedPlans(text)).toEqual([])
  // Without tasks, a part is never done.
  expect(partOf(readPlan('# Only words\n')?.units ?? []).isDone).toBe(false)
})
