/** Tasks are found in any form of plan, and no text between them is lost. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/core/plan/plan.ts'
import { readPlan } from '../../../src/core/plan/read-plan.ts'
import { runs } from '../../support/long.ts'
import { anyPlanText, KIRO, PHASES, PRD, SPEC, SPEC_KIT, SUPERPOWERS } from './plans.ts'

function plan(text: string): Plan {
  const found = readPlan(text)
  if (found === undefined) throw new Error('no plan')
  return found
}

const told = (text: string) =>
  plan(text).units.map(({ task, steps }) => {
    const { id, isDone, isOptional } = task ?? {}
    return [id, isDone === true ? 'done' : 'open', isOptional === true ? 'optional' : steps]
  })

describe('the forms', () => {
  test('spec-kit: check boxes are tasks, phases are groups, other sections belong to the previous task', () => {
    expect(told(SPEC_KIT)).toEqual([
      ['T001', 'done', 1],
      ['T002', 'done', 1],
      ['T003', 'open', 1],
      ['T004', 'done', 1],
      ['T005', 'open', 1],
    ])
    const { units, title, preamble } = plan(SPEC_KIT)
    expect(title).toBe('Tasks: Rate limiting')
    expect(preamble).toMatch(/^# Tasks[^]*---\n\n$/)
    expect(units.map(({ group }) => group.slice(0, 7))).toEqual([
      'Phase 1',
      'Phase 1',
      'Phase 2',
      'Phase 2',
      'Phase 2',
    ])
    expect(units.map(({ breakpoint }) => breakpoint)).toEqual([9, 2, 9, 2, 4])
    expect(units[3]?.continued).toEqual([
      '## Phase 2: User Story 1 - Refuse (Priority: P1)',
      '### Tests for User Story 1',
    ])
    expect(units[4]?.task?.after).toEqual(['T003', 'T004'])
    expect(units[4]?.text).toContain('## Dependencies')
    expect(SPEC_KIT.split('\n')[(units[2]?.line ?? 0) - 1]).toContain('T003')
  })

  test('Kiro: boxes are numbered, flat or nested, and may be optional', () => {
    expect(told(KIRO)).toEqual([
      ['1', 'done', 1],
      ['1.1', 'done', 1],
      ['2', 'open', 3],
      ['3', 'open', 'optional'],
      ['4', 'open', 1],
      ['5', 'open', 1],
    ])
    expect(plan(KIRO).units.map(({ breakpoint }) => breakpoint)).toEqual([9, 1, 2, 2, 2, 9])
  })

  test('superpowers: headings are tasks, boxes are their steps, and fences are ignored', () => {
    expect(told(SUPERPOWERS)).toEqual([
      ['1', 'done', 2],
      ['2', 'open', 2],
      ['3', 'open', 1],
    ])
    expect(plan(SUPERPOWERS).units[1]?.task?.after).toEqual(['3'])
    expect(plan(SUPERPOWERS).preamble).toMatch(/---\n\n$/)
  })

  test('plain Markdown: numbered headings are tasks; without any, sections are units', () => {
    expect(told(PHASES)).toEqual([
      ['1', 'open', 1],
      ['2', 'open', 2],
    ])
    expect(plan(SPEC)).toMatchObject({ form: 'sections', title: 'Spec' })
    expect(plan(SPEC).units.map(({ steps }) => steps)).toEqual([0, 3, 0])
  })

  test('a heading can say that its task is done', () => {
    const done = '## Task 1: a ✅\n\n## [x] Task 2: b\n\n## Task 3: c\n'
    expect(told(done).map(([, state]) => state)).toEqual(['done', 'done', 'open'])
  })

  test('reads stories from JSON', () => {
    expect(told(PRD)).toEqual([
      ['US-001', 'done', 3],
      ['US-002', 'open', 1],
      ['US-003', 'open', 1],
    ])
    expect(plan(PRD).units[2]?.task?.after).toEqual(['US-002'])
    expect(readPlan('{"stories": []}')).toBeUndefined()
    expect(readPlan('{ not: json')?.form).toBe('sections')
  })
})

describe('on any text', () => {
  test('the units together make up the text', () => {
    fc.assert(
      fc.property(anyPlanText, (text) => {
        const { head, units } = plan(text)
        expect(head + units.map((unit) => unit.text).join('')).toBe(text)
      }),
      runs(1000),
    )
  })

  test('a task is in its unit, at its line', () => {
    fc.assert(
      fc.property(anyPlanText, (text) => {
        const lines = text.split('\n')
        for (const { task, line, text: own } of plan(text).units) {
          if (task === undefined) continue
          expect(own).toContain(lines[line - 1]?.replace('\ufeff', ''))
        }
      }),
      runs(500),
    )
  })

  test('ticking a box changes only what is done', () => {
    fc.assert(
      fc.property(anyPlanText, (text) => {
        const shape = (one: string) =>
          plan(one).units.map(({ line, breakpoint, steps, text }) => [
            line,
            breakpoint,
            steps,
            text.length,
          ])
        expect(shape(text.replaceAll('- [ ]', '- [x]'))).toEqual(shape(text))
      }),
      runs(500),
    )
  })

  test('reads a rule of any length quickly', () => {
    const dashes = `| ${'-'.repeat(50_000)}|\n# Spec\n${'`*_'.repeat(20_000)}\n`
    expect(plan(dashes).units).toHaveLength(1)
  })
})
