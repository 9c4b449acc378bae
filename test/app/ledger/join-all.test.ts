import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventsTree } from '../../../src/app/ledger/render-tree.ts'
import { joinAll } from '../../../src/app/ledger/render-tree.ts'
import type { NewEvent } from '../../../src/core/event/event.ts'
import { renderEvent } from '../../../src/core/event/write-event.ts'
import { decodeTree } from '../../../src/core/git/objects.ts'
import { foldState } from '../../../src/core/ledger/join.ts'
import { renderLedger } from '../../../src/core/ledger/render.ts'
import { MemoryObjects } from '../../support/memory-objects.ts'
import { runs } from '../../support/long.ts'

/** Records which objects are read. */
class CountingObjects extends MemoryObjects {
  readonly asked: string[] = []

  override read(oid: string): ReturnType<MemoryObjects['read']> {
    this.asked.push(oid)
    return super.read(oid)
  }
}

const nameOf = (i: number) => `2026-01-01-${String(i).padStart(3, '0')}.md`

async function treeOf(
  objects: CountingObjects,
  said: readonly Partial<NewEvent>[],
): Promise<EventsTree> {
  const texts = said.map((one, i) =>
    renderEvent({ ts: `2026-01-01T00:00:${10 + (i % 50)}Z`, agent: `a${i % 3}`, ...one }),
  )
  const eventsTree = objects.tree(Object.fromEntries(texts.map((text, i) => [nameOf(i), text])))
  const object = await objects.read(eventsTree)
  objects.asked.length = 0
  return { eventsTree, entries: decodeTree(object?.content ?? new Uint8Array(), 'sha1') }
}

async function ledgerText(objects: CountingObjects, tree: EventsTree, part?: number) {
  return renderLedger(foldState(await joinAll(objects, tree, part)), tree.eventsTree)
}

/** Few words, so that events repeat each other; some retract an earlier or a later event. */
const anySaid = fc.record<Partial<NewEvent>>(
  {
    now: fc.constantFrom('now', 'then'),
    thisSession: fc.array(fc.constantFrom('did ä', 'did b', '"c"'), { maxLength: 2 }),
    decisions: fc.constantFrom([{ key: 'k', value: 'v' }], [{ key: 'k', value: null }]),
    retracts: fc.oneof(
      { arbitrary: fc.constant([]), weight: 1 },
      fc.nat(9).map((i) => [nameOf(i)]),
    ),
  },
  { requiredKeys: [] },
)

test('joining events in parts of any size gives the same ledger', async () => {
  const count = { parts: 0, again: 0 }
  const { numRuns } = runs(400)
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySaid, { minLength: 1, maxLength: 16 }),
      fc.integer({ min: 1, max: 17 }),
      async (said, part) => {
        const whole = new CountingObjects()
        const expected = await ledgerText(whole, await treeOf(whole, said))
        const objects = new CountingObjects()
        const tree = await treeOf(objects, said)
        const inParts = await ledgerText(objects, tree, part)
        if (objects.asked.length > new Set(objects.asked).size) count.again += 1
        else count.parts += 1
        expect(inParts).toBe(expected)
      },
    ),
    { numRuns },
  )
  expect(Math.min(...Object.values(count))).toBeGreaterThan(0)
})

test('reads the newest events first, so that nothing is read twice if an older event is retracted', async () => {
  const objects = new CountingObjects()
  const said = [{ now: 'a' }, { now: 'b' }, { retracts: [nameOf(0)] }, { now: 'c' }, { now: 'd' }]
  const text = await ledgerText(objects, await treeOf(objects, said), 2)
  expect(text).toContain('event_count: 4')
  expect(objects.asked).toHaveLength(5)
})

test('fetches what a partial clone lacks once, however many parts there are', async () => {
  const objects = new CountingObjects()
  const fetched: string[] = []
  const prefetch = async (tree: string) => void fetched.push(tree)
  const tree = await treeOf(objects, [{ now: 'a' }, { now: 'b' }, { now: 'c' }, { now: 'd' }])
  await joinAll(Object.assign(objects, { prefetch }), tree, 2)
  expect(fetched).toEqual([tree.eventsTree])
})
