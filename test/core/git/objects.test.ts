import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeCommit,
  decodeTree,
  emptyTreeOid,
  encodeTree,
  formatOfOid,
  hashObject,
  isNullOid,
  isRegularFile,
  nameToText,
  textToName,
} from '../../../src/core/git/objects.ts'

// Ids computed once with `git hash-object` and `git mktree` (git 2.39).
const BLOB = 'ce013625030ba8dba906f756967f9e9ca394464a'
const FOLDER = '3c461e2d1c2640489933907a30f8be7b29cfba4b'
const MIXED = 'fe9a855ae0b889efa5b411bc176b971d3d156409'
const BLOB_256 = '2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4'
const FOLDER_256 = '0773d963524f0530f7f30ddffcf8acfb7bfd6044ccf8073aa33724b59e0e5378'

const mixed = [
  { mode: '100644', name: `${textToName('é')}\xff.md`, oid: BLOB },
  { mode: '100755', name: 'z', oid: BLOB },
  { mode: '100644', name: 'a0', oid: BLOB },
  { mode: '40000', name: 'a', oid: FOLDER },
  { mode: '120000', name: 'l', oid: BLOB },
  { mode: '100644', name: 'a.b', oid: BLOB },
]

describe('object ids equal those of git', () => {
  test('for blobs and trees with SHA-1', () => {
    expect(hashObject('blob', Buffer.from('hello\n'), 'sha1')).toBe(BLOB)
    const folder = encodeTree([{ mode: '100644', name: 'a.md', oid: BLOB }])
    expect(hashObject('tree', folder, 'sha1')).toBe(FOLDER)
    expect(emptyTreeOid('sha1')).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })

  test('for blobs and trees with SHA-256', () => {
    expect(hashObject('blob', Buffer.from('hello\n'), 'sha256')).toBe(BLOB_256)
    const folder = encodeTree([{ mode: '100644', name: 'a.md', oid: BLOB_256 }])
    expect(hashObject('tree', folder, 'sha256')).toBe(FOLDER_256)
    const both = encodeTree([
      { mode: '40000', name: 'a', oid: FOLDER_256 },
      { mode: '100644', name: 'a.b', oid: BLOB_256 },
    ])
    expect(hashObject('tree', both, 'sha256')).toBe(
      '62d1924bf0bee0a0d4c1f4da88628df02d25066c2321debd21737a0ab4ce94f3',
    )
    expect(emptyTreeOid('sha256')).toBe(
      '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
    )
  })

  test('for entries in any order, with a folder sorted as if its name ended with a slash', () => {
    expect(hashObject('tree', encodeTree(mixed), 'sha1')).toBe(MIXED)
    expect(hashObject('tree', encodeTree(mixed.toReversed()), 'sha1')).toBe(MIXED)
  })
})

test('decodeTree reads back what encodeTree wrote', () => {
  const anyEntry = fc.record({
    mode: fc.constantFrom('100644', '100755', '40000', '120000', '160000'),
    name: fc.string({
      minLength: 1,
      unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
    }),
    oid: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 }),
  })
  const anyTree = fc.uniqueArray(anyEntry, { selector: ({ name }) => name })
  fc.assert(
    fc.property(anyTree, (entries) => {
      const content = encodeTree(entries)
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
      expect(decodeTree(content, 'sha1').sort(byName)).toEqual([...entries].sort(byName))
      expect(encodeTree(decodeTree(content, 'sha1'))).toEqual(content)
    }),
  )
})

test('decodeTree reads a folder mode with a leading zero as git does', () => {
  const entry = { mode: '40000', name: 'a', oid: 'a'.repeat(40) }
  const content = encodeTree([
    { ...entry, mode: '040000' },
    { ...entry, name: 'b' },
  ])
  expect(decodeTree(content, 'sha1')).toEqual([entry, { ...entry, name: 'b' }])
})

test('decodeTree reads a view into a larger buffer', () => {
  const content = encodeTree(mixed)
  const inside = Buffer.concat([Buffer.from('junk'), content]).subarray(4)
  expect(decodeTree(inside, 'sha1')).toEqual(decodeTree(content, 'sha1'))
})

test('names are bytes: text round-trips, and invalid bytes survive', () => {
  for (const text of ['é', '日本', '🎉', 'a b']) expect(nameToText(textToName(text))).toBe(text)
  expect(nameToText('\xff')).toBe('\ufffd')
})

test('decodeCommit reads the headers only', () => {
  const oid = (digit: string) => digit.repeat(40)
  const commit = [
    `tree ${oid('1')}`,
    `parent ${oid('2')}`,
    `parent ${oid('3')}`,
    'author A <a@example.invalid> 0 +0000',
    'committer A <a@example.invalid> 77 +0100',
    'mergetag object 4444444444444444444444444444444444444444',
    ` tree ${oid('5')}`,
    '',
    `tree ${oid('6')}`,
    `parent ${oid('7')}`,
    '',
    `parent ${oid('8')}`,
  ].join('\n')
  expect(decodeCommit(Buffer.from(commit))).toEqual({
    tree: oid('1'),
    parents: [oid('2'), oid('3')],
    committedAt: 77,
  })
})

test('recognizes the forms of ids and modes', () => {
  expect(formatOfOid(BLOB)).toBe('sha1')
  expect(formatOfOid(BLOB_256)).toBe('sha256')
  expect(isNullOid('0'.repeat(40))).toBe(true)
  expect(isNullOid(BLOB)).toBe(false)
  expect(isNullOid('')).toBe(false)
  expect(['100644', '100755', '100664'].every(isRegularFile)).toBe(true)
  expect(['40000', '120000', '160000'].some(isRegularFile)).toBe(false)
})
