/** Names, paths and texts of shadow data. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  longShadowName,
  mayBeOfWorktree,
  SHADOW_PREFIX,
  shadowName,
} from '../../../src/core/shadow/shadow-name.ts'
import {
  isLedgerPath,
  isTreePath,
  nameOfPath,
  pathInWorktree,
  pathOfName,
} from '../../../src/core/shadow/shadow-paths.ts'
import {
  parseAbout,
  parseDeleted,
  parseLeftOut,
  parseRecord,
  renderAbout,
  renderDeleted,
  renderLeftOut,
  renderRecord,
} from '../../../src/core/shadow/shadow-record.ts'
import { oid } from '../session/sessions.ts'

const anyName = fc
  .uint8Array({ minLength: 1, maxLength: 6 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))
const anyPath = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('a\nb', '"', '\\', '\u2028', 'ünï'),
  anyName.map(pathOfName),
)

describe('names', () => {
  test('contain a short base and worktree, and the main worktree has an empty name', () => {
    expect(shadowName({ base: oid('a'), worktree: '' })).toBe(`${SHADOW_PREFIX}aaaaaaa-e3b0c4`)
    expect(shadowName({ base: undefined, worktree: '' })).toBe(`${SHADOW_PREFIX}0000000-e3b0c4`)
  })

  test('a long name differs from the short one, and both identify the worktree', () => {
    const key = { base: oid('a'), worktree: 'feature' }
    expect(longShadowName(key)).not.toBe(shadowName(key))
    for (const name of [shadowName(key), longShadowName(key)]) {
      expect(mayBeOfWorktree(name, 'feature')).toBe(true)
      expect(mayBeOfWorktree(name, 'other')).toBe(false)
    }
    expect(mayBeOfWorktree(`${SHADOW_PREFIX}abc`, '')).toBe(false)
  })
})

describe('paths', () => {
  test('keep every byte of a name, even in JSON', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const path = JSON.parse(JSON.stringify(pathOfName(name))) as string
        expect(nameOfPath(path)).toBe(name)
      }),
    )
  })

  test.each([
    ['/w/a/b.ts', 'a/b.ts'],
    ['/link/a', 'a'],
    ['b.ts', 'sub/b.ts'],
    ['../b.ts', 'b.ts'],
    ['./x/../y', 'sub/y'],
    ['../..', undefined],
    ['/w', undefined],
    ['/w2/a', undefined],
    ['/etc/passwd', undefined],
    ['/w/.git/config', undefined],
    ['/w/sub/.GIT/x', undefined],
    ['a\0b', undefined],
  ])("reads a tool's path %j as %j", (named, path) => {
    expect(pathInWorktree(named, ['/w', '/link/'], '/w/sub')).toBe(path)
  })

  test('reject a path that leads out of the tree', () => {
    // On HFS+ the last one is a/.git/b.
    for (const path of ['..', 'a/../b', '', 'a//b', '.', 'a/.git/b', 'a/.g\u200cit/b']) {
      expect(isTreePath(path)).toBe(false)
    }
    expect(isTreePath('a/.gitignore')).toBe(true)
  })

  test("exclude the ledger's own files from work", () => {
    for (const path of ['l/events/a.md', 'l/current.md', 'l/archive/x/a.json']) {
      expect(isLedgerPath(path, 'l')).toBe(true)
      expect(isLedgerPath(path.slice(2), '')).toBe(true)
    }
    for (const path of ['l/topic/current.md', 'events/a.md', 'l/eventsx/a']) {
      expect(isLedgerPath(path, 'l')).toBe(false)
    }
  })
})

describe('texts are read back unchanged', () => {
  test('for lists of files with any names', () => {
    const anyLeftOut = fc.record({
      path: anyPath,
      reason: fc.string(),
      blob: fc.constantFrom(undefined, oid('a')),
    })
    fc.assert(
      fc.property(fc.array(anyPath), fc.array(anyLeftOut), (paths, files) => {
        expect(parseDeleted(renderDeleted(paths))).toEqual(paths)
        expect(parseLeftOut(renderLeftOut(files))).toEqual(files)
      }),
    )
  })

  test('for records', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(undefined, oid('b')), (text, base) => {
        const record = { base, worktree: text, path: `/w/${text}` }
        expect(parseRecord(renderRecord(record))).toEqual(record)
      }),
    )
    const about = { transcript: { path: '/t', from: 1, next: 2, isCut: true }, more: 3 }
    expect(parseAbout(renderAbout(about))).toEqual(about)
  })

  test('ignores a newer or damaged record', () => {
    const text = renderRecord({ base: undefined, worktree: '', path: '/w' })
    expect(parseRecord(text.replace('"version": 1', '"version": 2'))).toBeUndefined()
    expect(parseRecord(text.slice(1))).toBeUndefined()
    expect(parseRecord('{"version":1}')).toBeUndefined()
  })
})
