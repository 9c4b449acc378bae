import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Addition } from '../../../src/core/tracker/outbox.ts'
import { addItems, inOrder, MAX_ITEMS, nextItem } from '../../../src/core/tracker/outbox.ts'
import type { Content, OutboxItem } from '../../../src/core/tracker/outbox-item.ts'
import {
  fileNameOf,
  fixedUuid,
  isItemName,
  newItem,
  parseItem,
  renderItem,
} from '../../../src/core/tracker/outbox-item.ts'
import { runs } from '../../support/long.ts'

const text = fc.constantFrom('', 'a', 'b', 'two\nlines', '`x` "q" \u0000 é')
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.record({
    kind: fc.constant('checkpoint' as const),
    title: text,
    level: fc.constantFrom('L1', 'unknown'),
    percent: fc.option(fc.nat(120), { nil: undefined }),
    iteration: fc.option(fc.nat(9), { nil: undefined }),
    path: text,
    text,
  }),
  fc.record({ kind: fc.constant('link' as const), title: text, path: text }),
  fc.record({
    kind: fc.constant('shard' as const),
    title: text,
    tokens: fc.option(fc.nat(), { nil: undefined }),
    text,
  }),
  fc.record({
    kind: fc.constant('progress' as const),
    plan: text,
    done: fc.nat(5),
    total: fc.nat(5),
  }),
)
const addition: fc.Arbitrary<Addition> = fc.record({
  issue: fc.constantFrom('ANV-1', 'ANV-2', 'B-1'),
  content,
})
const additions = fc.array(addition, { maxLength: 12 })
const ids = (items: readonly OutboxItem[]) => items.map(({ id }) => id)

/** The outbox after several processes added something, each at its own time. */
function fill(groups: readonly (readonly Addition[])[], times: readonly number[]): OutboxItem[] {
  let items: OutboxItem[] = []
  for (const [i, group] of groups.entries()) {
    const { added, replaced } = addItems(inOrder(items).items, group, times[i] ?? 0)
    items = [...items.filter((item) => !replaced.includes(item)), ...added]
  }
  return items
}

describe('items as files', () => {
  test('reads back what it wrote', () => {
    const law = fc.property(addition, fc.nat(), fc.nat(), ({ issue, content }, at, place) => {
      const item = {
        ...newItem(issue, content, at, place),
        tries: 2,
        notBefore: 7,
        rejected: 'why',
      }
      expect(isItemName(fileNameOf(item))).toBe(true)
      expect(parseItem(fileNameOf(item), renderItem(item))).toEqual(item)
    })
    fc.assert(law, runs(300, 150))
  })

  test('ignores what is not an item, and never throws', () => {
    const item = newItem('ANV-1', { kind: 'link', title: 't', path: 'p' }, 1, 1)
    const name = fileNameOf(item)
    const bad: readonly object[] = [
      { format: 2 },
      { issue: '../../x' },
      { issue: 7 },
      { id: 'other' },
      { place: 2 },
      { tries: -1 },
      { notBefore: '1' },
      { rejected: {} },
      { content: { kind: 'link', title: 't' } },
      { content: { kind: 'other', title: 't', text: 't' } },
      { content: { kind: 'shard', title: 't', text: 't', tokens: 'many' } },
      { content: { kind: 'progress', plan: 'x', done: '1', total: 2 } },
      { content: [] },
    ]
    const fields = JSON.parse(renderItem(item)) as object
    for (const change of bad) {
      expect(parseItem(name, JSON.stringify({ ...fields, ...change }))).toBeUndefined()
    }
    for (const text of ['', '{', '[]', 'null', renderItem(item).slice(0, 40)]) {
      expect(parseItem(name, text)).toBeUndefined()
    }
  })

  test('ids have the form of UUID version 4, and depend on all words', () => {
    const law = fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
      expect(fixedUuid(...a)).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      )
      expect(fixedUuid(...a) === fixedUuid(...b)).toBe(JSON.stringify(a) === JSON.stringify(b))
    })
    fc.assert(law, runs(200, 100))
    expect(fixedUuid('a', 'b')).not.toBe(fixedUuid('ab'))
  })

  test('limits the length of texts', () => {
    const long = 'x'.repeat(50_000)
    const item = newItem('ANV-1', { kind: 'shard', title: long, tokens: 1, text: long }, 1, 1)
    expect(renderItem(item).length).toBeLessThan(12_000)
  })
})

describe('adding', () => {
  const times = fc.array(fc.constantFrom(0, 5, 5, 1000), { minLength: 4, maxLength: 4 })

  test('keeps equal additions once, in the order of adding, whatever the clocks say', () => {
    const law = fc.property(fc.array(additions, { maxLength: 4 }), times, (groups, times) => {
      const { items, surplus } = inOrder(fill(groups, times))
      expect(surplus).toEqual([])
      const wanted = groups.flat().map(({ issue, content }) => ({
        id: newItem(issue, content, 0, 0).id,
        content,
      }))
      const first = [...new Set(wanted.map(({ id }) => id))]
      expect(ids(items).toSorted()).toEqual(first.toSorted())
      // Newer progress takes the last place; all others keep their first place.
      const steady = wanted.filter(({ content }) => content.kind !== 'progress')
      const isSteady = new Set(steady.map(({ id }) => id))
      expect(ids(items).filter((id) => isSteady.has(id))).toEqual([...isSteady])
      for (const { id, content } of wanted.toReversed()) {
        if (content.kind !== 'progress') continue
        const last = wanted.findLast((one) => one.id === id)?.content
        expect(items.find((item) => item.id === id)?.content).toEqual(last)
      }
    })
    fc.assert(law, runs(400, 200))
  })

  test('two processes at once keep each item once, in whatever order the files are found', () => {
    const law = fc.property(additions, additions, fc.integer(), (a, b, seed) => {
      const both = [...addItems([], a, 5).added, ...addItems([], b, 5).added]
      const mixed = seed % 2 === 0 ? both : both.toReversed()
      const { items, surplus } = inOrder(mixed)
      expect(new Set(ids(items)).size).toBe(items.length)
      expect(items.length + surplus.length).toBe(both.length)
      const contents = (list: readonly OutboxItem[]) => list.map(({ id, place }) => [id, place])
      expect(contents(inOrder(both).items)).toEqual(contents(items))
    })
    fc.assert(law, runs(300, 150))
  })

  test('a full outbox refuses new items, and counts them', () => {
    const many = Array.from({ length: MAX_ITEMS + 3 }, (_, i): Addition => {
      return { issue: 'ANV-1', content: { kind: 'link', title: 't', path: `${i}` } }
    })
    const { added, refused } = addItems([], many, 1)
    expect([added.length, refused]).toEqual([MAX_ITEMS, 3])
    // Items that exist need no room.
    expect(addItems(added, many.slice(0, 2), 1)).toEqual({ added: [], replaced: [], refused: 0 })
  })
})

describe('the next item', () => {
  const choice = { now: 10, isAsked: false, passed: new Set<string>() }
  const item = (issue: string, place: number, about: Partial<OutboxItem> = {}): OutboxItem => ({
    ...newItem(issue, { kind: 'shard', title: `${place}`, tokens: 1, text: '' }, 0, place),
    ...about,
  })

  test('never has an earlier item of the same issue before it', () => {
    const state = fc.record({
      issue: fc.constantFrom('A-1', 'A-2'),
      tries: fc.nat(2),
      notBefore: fc.constantFrom(0, 10, 11),
      rejected: fc.constantFrom(undefined, undefined, 'why'),
      isPassed: fc.boolean(),
    })
    const law = fc.property(fc.array(state, { maxLength: 8 }), fc.boolean(), (states, isAsked) => {
      const items = states.map(({ issue, tries, notBefore, rejected }, i) =>
        item(issue, i, { tries, notBefore, rejected }),
      )
      const passed = new Set(ids(items.filter((_, i) => states[i]?.isPassed === true)))
      const next = nextItem(items, { now: 10, isAsked, passed })
      const open = items.filter(({ rejected }) => rejected === undefined)
      const heads = open.filter((one, i) => open.findIndex((x) => x.issue === one.issue) === i)
      const ready = heads.filter((one) => !passed.has(one.id) && (isAsked || one.notBefore <= 10))
      expect(next === undefined).toBe(ready.length === 0)
      if (next !== undefined) expect(ready).toContain(next)
      expect(next?.tries ?? 0).toBe(Math.min(...ready.map(({ tries }) => tries), next?.tries ?? 0))
    })
    fc.assert(law, runs(400, 200))
  })

  test('a link does not block the item after it', () => {
    const link = newItem('A-1', { kind: 'link', title: 't', path: 'p' }, 0, 0)
    const passed = new Set([link.id])
    expect(nextItem([link, item('A-1', 1)], { ...choice, passed })?.place).toBe(1)
  })
})
