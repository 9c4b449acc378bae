import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Blob, Blobs, CommitMark, MarkedEntry } from '../../../src/core/commit/commit-mark.ts'
import {
  changedEntries,
  isAtWork,
  parseMark,
  renderMark,
  settledEntries,
  withoutOthers,
} from '../../../src/core/commit/commit-mark.ts'

/** Few paths and few contents: states that nearly agree are where errors occur. */
const anyBlobs = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3')))
  .map((pairs): Blobs => new Map(pairs.map(([path, oid]) => [path, { mode: '100644', oid }])))

const law = (check: (a: Blobs, b: Blobs, c: Blobs) => void) =>
  fc.assert(fc.property(anyBlobs, anyBlobs, anyBlobs, (a, b, c) => void check(a, b, c)))

function apply(index: Blobs, entries: readonly MarkedEntry[]): Blobs {
  const result = new Map(index)
  for (const { path, after } of entries) {
    if (after === undefined) result.delete(path)
    else result.set(path, after)
  }
  return result
}

const plain = (blobs: Blobs) =>
  Object.fromEntries([...blobs].map(([path, { oid }]) => [path, oid]).toSorted())

function mark(entries: readonly MarkedEntry[], more: Partial<CommitMark> = {}): CommitMark {
  return {
    id: 'm.json',
    committer: undefined,
    writtenAt: 0,
    headLog: undefined,
    indexFile: undefined,
    isOwn: false,
    isPartial: false,
    entries,
    copies: [],
    ...more,
  }
}

describe('settledEntries', () => {
  test('leaves the index as it was if the commit is given up', () => {
    law((head, before, after) => {
      const entries = changedEntries(before, after, head)
      // HEAD may by chance contain what the commit was to bring: then it was not given up.
      const held = entries.filter(({ path, after: ours }) => head.get(path)?.oid === ours?.oid)
      fc.pre(held.length === 0)
      expect(plain(apply(after, settledEntries(entries, after, head)))).toEqual(plain(before))
    })
  })

  test('brings the content of the commit into the index if the commit is made', () => {
    law((head, before, after) => {
      const entries = changedEntries(before, after, head)
      const made = apply(head, entries)
      expect(plain(apply(before, settledEntries(entries, before, made)))).toEqual(plain(after))
    })
  })

  test('settling twice changes nothing more', () => {
    law((head, before, after) => {
      const entries = changedEntries(before, after, head)
      const once = apply(after, settledEntries(entries, after, head))
      expect(plain(apply(once, settledEntries(entries, once, head)))).toEqual(plain(once))
    })
  })

  test('leaves alone what somebody changed since', () => {
    law((head, before, after) => {
      const entries = changedEntries(before, after, head)
      const edited: Blobs = new Map(
        ['a', 'b', 'c'].map((path): [string, Blob] => [path, { mode: '100644', oid: 'edited' }]),
      )
      expect(settledEntries(entries, edited, head)).toEqual([])
      expect(settledEntries(entries, edited, apply(head, entries))).toEqual([])
    })
  })

  test('keeps a clean entry clean if another commit landed in the meantime', () => {
    const [old, other, ours] = ['old', 'other', 'ours'].map((oid) => ({ mode: '100644', oid }))
    const blobs = (blob: Blob | undefined): Blobs => new Map(blob && [['a', blob]])
    const entries = changedEntries(blobs(old), blobs(ours), blobs(old))
    expect(apply(blobs(ours), settledEntries(entries, blobs(ours), blobs(other)))).toEqual(
      blobs(other),
    )
    // An entry that the user had staged returns to what was staged.
    const staged = changedEntries(blobs(old), blobs(ours), blobs(undefined))
    expect(apply(blobs(ours), settledEntries(staged, blobs(ours), blobs(other)))).toEqual(
      blobs(old),
    )
  })
})

test('with two commits at once, the second finds the index as if the first did not exist', () => {
  law((head, before, after) => {
    const first = mark(changedEntries(before, after, head))
    expect(plain(withoutOthers(after, [first]))).toEqual(plain(before))
    expect(plain(withoutOthers(before, [first]))).toEqual(plain(before))
  })
})

test('a mark reads back as it was written, whatever bytes its events have', () => {
  fc.assert(
    fc.property(
      anyBlobs,
      anyBlobs,
      fc.uint8Array(),
      fc.string({ unit: 'binary' }),
      (a, b, bytes, path) => {
        const written = mark(changedEntries(a, b, a), {
          committer: { pid: 7, startTime: '1_aa' },
          headLog: 3,
          indexFile: '/tmp/index',
          isOwn: true,
          isPartial: true,
          copies: [{ path, oid: '1', bytes }],
        })
        const read = parseMark('m.json', renderMark(written))
        expect({
          ...read,
          copies: read?.copies.map((copy) => ({ ...copy, bytes: [...copy.bytes] })),
        }).toEqual({
          ...written,
          copies: [{ path, oid: '1', bytes: [...bytes] }],
        })
      },
    ),
  )
  expect(parseMark('m.json', renderMark(mark([])).slice(0, 20))).toBe(undefined)
  expect(parseMark('m.json', '{"schema":2}')).toBe(undefined)
})

test('a mark counts while its committer lives, or for a day if that is unknown', () => {
  const day = 24 * 60 * 60_000
  const one = mark(changedEntries(new Map(), new Map([['a', { mode: '1', oid: '1' }]]), new Map()))
  expect(isAtWork(one, 'alive', 100 * day)).toBe(true)
  expect(isAtWork(one, 'gone', 0)).toBe(false)
  expect(isAtWork(one, 'unknown', day - 1)).toBe(true)
  expect(isAtWork(one, 'unknown', day)).toBe(false)
  // Nothing is left to do in the index: only copies are kept.
  expect(isAtWork({ ...one, entries: [] }, 'alive', 0)).toBe(false)
})
