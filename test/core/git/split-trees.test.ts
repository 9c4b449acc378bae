import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ObjectFormat, TreeEntry } from '../../../src/core/git/objects.ts'
import { decodeTree, encodeTree, sortName } from '../../../src/core/git/objects.ts'
import type { TreePart } from '../../../src/core/git/split-trees.ts'
import { splitTrees } from '../../../src/core/git/split-trees.ts'

const split = (trees: readonly (readonly TreeEntry[])[], format: ObjectFormat = 'sha1') => [
  ...splitTrees(trees.map(encodeTree), format),
]

/** One of the trees, put together from the parts. */
function joined(parts: readonly TreePart[], side: number) {
  return Buffer.concat(
    parts.map((part) => {
      if ('shared' in part) return part.shared
      const entry = part.sides[side]
      return entry === undefined ? Buffer.alloc(0) : encodeTree([entry])
    }),
  ).toString('hex')
}

// Ids of one repeated byte, zero and a space among them: the ends of names must be distinguished
// from the bytes of an id.
const anyTreeOf = (bytes: number) =>
  fc.uniqueArray(
    fc.record({
      mode: fc.constantFrom('100644', '100644', '40000', '100755'),
      name: fc.constantFrom('a', 'a.md', 'a0', 'b', 'b-', 'b.md', 'c', 'd', 'z\xff'),
      oid: fc.constantFrom('00', '01', '20', 'ff').map((byte) => byte.repeat(bytes)),
    }),
    { selector: ({ name }) => name },
  )

describe('the parts of trees', () => {
  test.each([['sha1', 20] as const, ['sha256', 32] as const])(
    'contain each tree completely and in order, and differ where the trees do: %s',
    (format, bytes) => {
      const anyTree = anyTreeOf(bytes)
      let shared = 0
      fc.assert(
        fc.property(anyTree, anyTree, anyTree, (all, ours, theirs) => {
          // Most of it is the same in all three.
          const names = new Set<string>(all.map(({ name }) => name))
          const others = (tree: TreeEntry[]) => tree.filter(({ name }) => !names.has(name))
          const trees = [all, [...all, ...others(ours)], [...all.slice(1), ...others(theirs)]]
          const parts = split(trees, format)
          trees.forEach((tree, side) => {
            expect(joined(parts, side)).toBe(encodeTree(tree).toString('hex'))
          })
          for (const part of parts) {
            if ('shared' in part) shared += decodeTree(part.shared, format).length
            else {
              expect(new Set(part.sides.map((side) => JSON.stringify(side))).size).toBeGreaterThan(
                1,
              )
              for (const side of part.sides) if (side) expect(sortName(side)).toBe(part.order)
            }
          }
          const orders = parts.flatMap((part) => ('order' in part ? part.order : []))
          expect(orders).toEqual(orders.toSorted((a, b) => (a < b ? -1 : 1)))
          expect(new Set(orders).size).toBe(orders.length)
        }),
      )
      expect(shared).toBeGreaterThan(50)
    },
  )

  test('finds a change anywhere in large trees, and nothing else', () => {
    const name = (i: number) => `event-${`${i}`.padStart(6, '0')}.md`
    const tree = Array.from({ length: 3000 }, (_, i) => ({
      mode: '100644',
      name: name(i),
      oid: 'ab'.repeat(20),
    }))
    for (const at of [0, 1, 1300, 2998, 2999]) {
      const changed = tree.with(at, { mode: '100644', name: name(at), oid: '00'.repeat(20) })
      const parts = split([tree, changed])
      expect(parts.filter((part) => 'order' in part)).toEqual([
        { order: name(at), sides: [tree[at], changed[at]] },
      ])
      expect(parts.length).toBeLessThan(4)
      expect(split([tree, tree.toSpliced(at, 1)]).filter((part) => 'order' in part)).toEqual([
        { order: name(at), sides: [tree[at], undefined] },
      ])
    }
    expect(split([tree, tree])).toHaveLength(1)
    expect(split([[], []])).toEqual([])
  })

  test('compares a mode with a leading zero, as old tools wrote it', () => {
    const old = Buffer.from(`040000 sub\0${'x'.repeat(20)}`, 'latin1')
    const entry = { mode: '40000', name: 'sub', oid: '78'.repeat(20) }
    expect([...splitTrees([old, old], 'sha1')]).toEqual([{ order: 'sub/', sides: [entry, entry] }])
  })

  test.each([
    [
      'a truncated tree',
      Buffer.concat([
        encodeTree([{ mode: '100644', name: 'a', oid: '11'.repeat(20) }]).subarray(0, 20),
      ]),
    ],
    ['an entry without a name', Buffer.from(`100644\0${'x'.repeat(20)}`)],
    ['an entry without an end', Buffer.from('100644 a')],
  ])('throws for a malformed tree: %s', (_name, content) => {
    expect(() => [...splitTrees([content, Buffer.alloc(0)], 'sha1')]).toThrow('malformed tree')
  })
})
