/** A plan is divided so that none of it is lost and each part is small enough. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens, START_RATES } from '../../../src/core/estimate/work.ts'
import { namedPaths } from '../../../src/core/estimate/named-files.ts'
import type { Plan } from '../../../src/core/plan/plan.ts'
import { wholeWork } from '../../../src/core/plan/plan-work.ts'
import { readPlan } from '../../../src/core/plan/read-plan.ts'
import type { ShardRequest } from '../../../src/core/plan/shard.ts'
import { shardPlan } from '../../../src/core/plan/shard.ts'
import { OWN_MARK, readShardText } from '../../../src/core/plan/shard-marks.ts'
import { isOurShard } from '../../../src/core/plan/shard-text.ts'
import { runs } from '../../support/long.ts'
import { anyPlanText, anyPrdText, PRD, SPEC_KIT, SUPERPOWERS } from './plans.ts'

const SIZES = new Map([
  ['src/a.ts', 9000],
  ['src/b.ts', 900_000],
])

const read = (text: string): Plan => readPlan(text) as Plan
const cut = (text: string, about: Partial<ShardRequest> = {}) =>
  shardPlan(read(text), text, {
    limit: 20_000,
    into: undefined,
    parent: 'specs/tasks.md',
    sizes: SIZES,
    rates: START_RATES,
    ...about,
  })
const tasksIn = (text: string) => read(text).units.map(({ task }) => task)
const tokensIn = (text: string) => estimateTokens(wholeWork(read(text), SIZES), START_RATES)

const anyLimit = fc.constantFrom(1, 8000, 20_000, 60_000, 1e9)
const anyCut = fc.record({
  limit: anyLimit,
  into: fc.constantFrom(undefined, undefined, 1, 2, 3, 7),
})

describe('laws, on any plan', () => {
  test("lose no text: the shards' own parts together make up the plan", () => {
    fc.assert(
      fc.property(anyPlanText, anyCut, (text, about) => {
        const shards = cut(text, about)
        const { head } = read(text)
        const own = shards.map((shard) => readShardText(shard.text)?.body ?? '').join('')
        if (shards.length === 1) expect(shards[0]?.text).toBe(text)
        else expect(head + own).toBe(text)
      }),
      runs(1000),
    )
  })

  test('lose or repeat no task, and keep the order', () => {
    fc.assert(
      fc.property(fc.oneof(anyPlanText, anyPrdText), anyCut, (text, about) => {
        const shards = cut(text, about)
        const parts = shards.flatMap((shard) => tasksIn(shard.text))
        if (read(text).form === 'sections') return
        expect(parts).toEqual(tasksIn(text))
      }),
      runs(1000),
    )
  })

  test('stay within the limit, or report a single task that exceeds it', () => {
    fc.assert(
      fc.property(fc.oneof(anyPlanText, anyPrdText), anyLimit, (text, limit) => {
        for (const { tokens, units, isTooLarge } of cut(text, { limit })) {
          expect(isTooLarge).toBe(tokens > limit)
          if (isTooLarge) expect(units.length).toBeLessThan(2)
        }
      }),
      runs(500),
    )
  })

  test('the estimate for the file of a shard is never above that of the shard, and it needs no further cut', () => {
    fc.assert(
      fc.property(fc.oneof(anyPlanText, anyPrdText), anyCut, (text, about) => {
        for (const { text: file, tokens } of cut(text, about)) {
          expect(tokensIn(file)).toBeLessThanOrEqual(tokens)
          const again = cut(file, { limit: tokens })
          expect(again.map((shard) => shard.text)).toEqual([file])
        }
      }),
      runs(1000),
    )
  })

  test('shards of shards contain the same text', () => {
    fc.assert(
      fc.property(anyPlanText, (text) => {
        for (const { text: file } of cut(text, { limit: 40_000 })) {
          const body = readShardText(file)?.body
          if (body === undefined) continue
          const parts = cut(file, { limit: 8000 })
          const own = parts.map((part) => readShardText(part.text)?.body ?? '')
          expect(own.join('')).toBe(body)
        }
      }),
      runs(500),
    )
  })

  test('ticking a box moves no cut', () => {
    fc.assert(
      fc.property(anyPlanText, anyCut, (text, about) => {
        const cuts = (one: string) => cut(one, about).map(({ units }) => units[0]?.line)
        expect(cuts(text.replaceAll('- [ ]', '- [x]'))).toEqual(cuts(text))
      }),
      runs(300),
    )
  })

  test('give as many shards as requested, as far as there are tasks', () => {
    fc.assert(
      fc.property(anyPlanText, fc.integer({ min: 1, max: 9 }), (text, into) => {
        const { units } = read(text)
        expect(cut(text, { into })).toHaveLength(Math.max(1, Math.min(into, units.length)))
      }),
      runs(500),
    )
  })
})

describe('a shard is self-contained', () => {
  const shards = cut(SPEC_KIT, { limit: 16_000 })

  test('ends at a good stopping point of the plan', () => {
    expect(shards.map(({ units }) => units.map(({ task }) => task?.id))).toEqual([
      ['T001', 'T002'],
      ['T003', 'T004', 'T005'],
    ])
    expect(shards.map(({ title }) => title)).toEqual([
      'Phase 1: Setup (Shared Infrastructure)',
      'Phase 2: User Story 1 - Refuse (Priority: P1)',
    ])
  })

  test('names its plan, what came before, and the text that applies to all shards', () => {
    const { text = '', tokens = 0 } = shards[1] ?? {}
    expect(text).toMatch(/^---\nshard: 2 of 2\nparent: specs\/tasks\.md\n/)
    expect(text).toContain(`about ${tokens} tokens`)
    expect(text).toContain('from line 29 there')
    expect(text).toContain('Shard 1 hands over: T001 Create the module in src/limit/mod.ts; T002')
    expect(text).toContain('Shard 1 ends at: Checkpoint: the project builds')
    expect(text).toContain('**Prerequisites**: plan.md, spec.md')
    expect(text).toContain(`${OWN_MARK}\n## Phase 2`)
    expect(readShardText(text)?.body).toMatch(/^## Phase 2[^]*Complete Phase 2\n$/)
  })

  test('repeats the headings inside a phase', () => {
    const [, , , second] = cut(SPEC_KIT, { limit: 7000 })
    expect(second?.text).toContain('## Phase 2: User Story 1 - Refuse (Priority: P1) (continued)\n')
  })

  test('the title of a task cannot end the head', () => {
    const text = SUPERPOWERS.replace('Detect', `<!-- x ${OWN_MARK} \`\`\``)
    const [, second] = cut(text, { limit: 16_000 })
    expect(readShardText(second?.text ?? '')?.body).toMatch(/^### Task 2/)
  })

  test('contains the text that applies to all shards once, and counts it', () => {
    const said = 'It matters. '.repeat(500)
    const text = `# Plan\n\n${said}\n\n## One\n\n- [ ] a\n\n## Two\n\n- [ ] b\n`
    const [first, second] = cut(text, { into: 2 })
    expect(first?.text.split(said)).toHaveLength(2)
    expect(second?.text.split(said)).toHaveLength(2)
    expect(tokensIn(second?.text ?? '')).toBeLessThanOrEqual(second?.tokens ?? 0)
  })

  test('stories: is the same file with fewer stories and all other members', () => {
    const [first, second] = cut(PRD, { into: 2 })
    const { shard, userStories, ...members } = JSON.parse(second?.text ?? '') as {
      shard: object
      userStories: { id: string }[]
    }
    expect(members).toEqual({
      project: 'App',
      branchName: 'ralph/priority',
      description: 'Task priority',
      custom: { kept: [1, null] },
    })
    expect(userStories.map(({ id }) => id)).toEqual(['US-002', 'US-003'])
    expect(shard).toMatchObject({ of: 'specs/tasks.md', number: 2, count: 2 })
    expect(JSON.stringify(shard)).toContain('Shard 1 hands over: US-001 Field')
    expect(first?.done).toBe(1)
  })

  test('does not recognize a file that somebody changed', () => {
    for (const { text } of [...shards, ...cut(PRD, { into: 2 })]) {
      expect(isOurShard(text)).toBe(true)
      expect(isOurShard(text.replace('T00', 'T99').replace('US-00', 'US-99'))).toBe(false)
      expect(isOurShard(`${text}\n`)).toBe(false)
    }
    expect(isOurShard(SPEC_KIT)).toBe(false)
    expect(isOurShard(PRD)).toBe(false)
  })
})

test('counts a file once that two tasks of a shard name', () => {
  const text = '- [ ] a in src/a.ts\n- [ ] b in src/a.ts\n'
  expect(namedPaths(text)).toEqual(['src/a.ts'])
  const one = tokensIn('- [ ] a in src/a.ts\n- [ ] b in src/c.ts\n')
  expect(tokensIn(text)).toBe(one)
  // Twice 9,000 bytes and two tasks would exceed the limit.
  const parts = cut(`${text}- [ ] c\n- [ ] d\n`, { limit: 17_000 })
  expect(parts.map(({ units }) => units.length)).toEqual([2, 2])
})
