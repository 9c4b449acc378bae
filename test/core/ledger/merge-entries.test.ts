import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TreeEntry } from '../../../src/core/git/objects.ts'
import { decodeTree, encodeTree } from '../../../src/core/git/objects.ts'
import { addedEntries, mergeEntries } from '../../../src/core/ledger/merge-entries.ts'
import { runs } from '../../support/long.ts'

const file = (name: string, oid: string): TreeEntry => ({ mode: '100644', name, oid })
const folder = (name: string, oid: string): TreeEntry => ({ mode: '40000', name, oid })
const anyEntry = fc.record({
  mode: fc.constantFrom('100644', '40000', '100755'),
  name: fc.constantFrom('a.md', 'b.md', 'c', '__proto__'),
  oid: fc.constantFrom('1', '2', '3'),
})
const anyTree = fc.uniqueArray(anyEntry, { selector: ({ name }) => name })

type Outcome = TreeEntry | 'absent' | 'conflict' | 'descend'

/** The rule for a single name, written as the table that people would draw. */
function expected(o?: TreeEntry, a?: TreeEntry, b?: TreeEntry): Outcome {
  const id = (entry?: TreeEntry) => (entry === undefined ? '-' : `${entry.mode} ${entry.oid}`)
  if (id(a) === id(b)) return a ?? 'absent'
  if (id(a) === id(o)) return b ?? 'absent'
  if (id(b) === id(o)) return a ?? 'absent'
  return a?.mode === '40000' && b?.mode === '40000' ? 'descend' : 'conflict'
}

function outcomes(base: TreeEntry[], ours: TreeEntry[], theirs: TreeEntry[]) {
  const merge = mergeEntries(base, ours, theirs)
  const result: [string, Outcome][] = [
    ...merge.entries.map((entry): [string, Outcome] => [entry.name, entry]),
    ...merge.descend.map(({ name }): [string, Outcome] => [name, 'descend']),
    ...merge.conflicts.map((name): [string, Outcome] => [name, 'conflict']),
  ]
  return result.sort(([a], [b]) => (a < b ? -1 : 1))
}

describe('mergeEntries is git’s three-way rule, name by name', () => {
  test('agrees with the table for every name', () => {
    fc.assert(
      fc.property(anyTree, anyTree, anyTree, (base, ours, theirs) => {
        const find = (tree: TreeEntry[], name: string) => tree.find((entry) => entry.name === name)
        const names = [...new Set([...base, ...ours, ...theirs].map(({ name }) => name))].sort()
        const table = names.flatMap((name): [string, Outcome][] => {
          const out = expected(find(base, name), find(ours, name), find(theirs, name))
          return out === 'absent' ? [] : [[name, out]]
        })
        expect(outcomes(base, ours, theirs)).toEqual(table)
      }),
      runs(500),
    )
  })

  test('symmetric: swapping the sides swaps only ours and theirs', () => {
    fc.assert(
      fc.property(anyTree, anyTree, anyTree, (base, ours, theirs) => {
        expect(outcomes(base, ours, theirs)).toEqual(outcomes(base, theirs, ours))
        const swapped = mergeEntries(base, theirs, ours).descend.map((d) => ({
          ...d,
          ours: d.theirs,
          theirs: d.ours,
        }))
        const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
        expect([...mergeEntries(base, ours, theirs).descend].sort(byName)).toEqual(
          swapped.sort(byName),
        )
      }),
    )
  })

  test('merging a side with itself or with the base changes nothing', () => {
    fc.assert(
      fc.property(anyTree, anyTree, (base, ours) => {
        expect(mergeEntries(base, ours, ours).entries).toEqual(ours)
        expect(mergeEntries(base, ours, base).entries).toEqual(ours)
        expect(outcomes(base, base, ours)).toEqual(outcomes(base, ours, base))
      }),
    )
  })
})

describe('by example', () => {
  const [v1, v2, v3] = [file('a.md', '1'), file('a.md', '2'), file('a.md', '3')]

  test('keeps both events if each side adds one', () => {
    expect(mergeEntries([], [v1], [file('b.md', '1')]).entries).toHaveLength(2)
  })
  test('deletes an entry that one side deleted and the other left unchanged', () => {
    expect(mergeEntries([v1], [], [v1])).toEqual({ entries: [], descend: [], conflicts: [] })
  })
  test('reports a conflict if one side deleted and the other changed an entry', () => {
    expect(mergeEntries([v1], [], [v2]).conflicts).toEqual(['a.md'])
  })
  test('reports a conflict if both sides give one name different contents', () => {
    expect(mergeEntries([v1], [v2], [v3]).conflicts).toEqual(['a.md'])
    expect(mergeEntries([], [v2], [v3]).conflicts).toEqual(['a.md'])
  })
  test('treats a changed mode as a change', () => {
    const executable = { ...v1, mode: '100755' }
    expect(mergeEntries([v1], [executable], [v1]).entries).toEqual([executable])
  })
  test('merges directories that both sides changed by their entries, even if the base is a file', () => {
    const [x, y] = [folder('c', '1'), folder('c', '2')]
    expect(mergeEntries([folder('c', '0')], [x], [y]).descend[0]).toEqual({
      name: 'c',
      base: folder('c', '0'),
      ours: x,
      theirs: y,
    })
    expect(mergeEntries([file('c', '0')], [x], [y]).descend[0]?.base).toBeUndefined()
    expect(mergeEntries([], [x], [file('c', '2')]).conflicts).toEqual(['c'])
  })
})

describe('addedEntries', () => {
  test('returns the entries to add, or undefined if adding is not enough', () => {
    const inGitOrder = (tree: readonly TreeEntry[]) =>
      decodeTree(
        encodeTree(tree.map((entry) => ({ ...entry, oid: `0${entry.oid}`.repeat(20) }))),
        'sha1',
      )
    let grew = 0
    fc.assert(
      fc.property(anyTree, anyTree, fc.boolean(), (some, more, isUnion) => {
        const names = new Set(some.map(({ name }) => name))
        const from = inGitOrder(some)
        const others = more.filter(({ name }) => !names.has(name))
        const to = inGitOrder(isUnion ? [...some, ...others] : more)
        const added = addedEntries(encodeTree(from), encodeTree(to), 'sha1')
        const isIn = (entry: TreeEntry, tree: TreeEntry[]) =>
          tree.some((one) => JSON.stringify(one) === JSON.stringify(entry))
        const isGrowth = from.every((entry) => isIn(entry, to))
        expect(added).toEqual(isGrowth ? to.filter((entry) => !isIn(entry, from)) : undefined)
        if (added !== undefined && added.length > 0) grew += 1
      }),
    )
    expect(grew).toBeGreaterThan(10)
  })
})
