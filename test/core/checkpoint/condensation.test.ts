import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileVersion } from '../../../src/core/checkpoint/condensation.ts'
import {
  carriedForward,
  committableFiles,
  contributedFiles,
} from '../../../src/core/checkpoint/condensation.ts'

/** `a=1` is a file with a blob, `a=` a deleted file. */
function files(text: string): FileVersion[] {
  const words = text.split(' ').filter((word) => word !== '')
  return words.map((word) => {
    const [path = '', blob = ''] = word.split('=')
    return { path, blob: blob === '' ? undefined : blob }
  })
}
/** What a commit changes, and what it then contains. */
function commit(parent: readonly FileVersion[], changed: readonly FileVersion[]) {
  const before = new Map(parent.map(({ path, blob }) => [path, blob]))
  const changes = changed.map(({ path, blob }) => ({ path, before: before.get(path), after: blob }))
  return { changes, held: [...parent, ...changed] }
}
const text = (versions: FileVersion[]) =>
  versions.map(({ path, blob = '' }) => `${path}=${blob}`).join(' ')

describe('committableFiles', () => {
  test.each([
    // what, touched, HEAD, index, worktree, expected
    ['a file that exists as it was left', 'a=2 n=1', 'a=1', 'a=1', 'a=2 n=1', 'a n'],
    ['a file that exists only in the index', 'n=1', '', 'n=1', 'n=', 'n'],
    ['a file that was edited afterwards', 'a=2', 'a=1', 'a=1', 'a=3', 'a'],
    ['a deletion', 'a=', 'a=1', 'a=1', 'a=', 'a'],
    ['files that were thrown away', 'a=2 n=1', 'a=1', 'a=1', 'a=1 n=', ''],
    ['files that are already committed', 'a=2 n=1', 'a=2 n=1', 'a=2 n=1', 'a=2 n=1', ''],
    ['a new file under the same name', 'n=1', '', '', 'n=2', ''],
  ])('%s', (_, touched, head, index, worktree, expected) => {
    const places = [files(index), files(worktree)]
    expect(committableFiles(files(touched), places, files(head)).join(' ')).toBe(expected)
  })
})

describe('contributedFiles', () => {
  test.each([
    // what, touched, parent, changed, contributed
    ['a changed file', 'a=2', 'a=1', 'a=2', 'a'],
    ['a changed file that was edited afterwards, or committed in part', 'a=2', 'a=1', 'a=3', 'a'],
    ['a new file as it was left', 'n=1', '', 'n=1', 'n'],
    ['a new file that somebody replaced', 'n=1', '', 'n=2', ''],
    ['a file that the commit does not touch', 'a=2', 'a=1', 'b=1', ''],
    ['a deletion', 'a=', 'a=1', 'a=', 'a'],
    ['a file that the session deleted and somebody else changed', 'a=', 'a=1', 'a=2', ''],
    ['a file that the session changed and somebody else deleted', 'a=2', 'a=1', 'a=', ''],
    ['a file that the session restored', 'a=1', 'a=1', 'a=2', ''],
    ['a new file that the session deleted again', 'n=', '', 'n=1', ''],
    ['the last version of several', 'n=1 n=2', '', 'n=2', 'n'],
    ['some of many', 'a=2 b=2 n=1', 'a=1 b=1', 'b=5 n=1 c=1', 'b n'],
    ['nothing touched', '', 'a=1', 'a=2', ''],
  ])('%s', (_, touched, parent, changed, expected) => {
    expect(
      contributedFiles(files(touched), commit(files(parent), files(changed)).changes).join(' '),
    ).toBe(expected)
  })
})

describe('carriedForward', () => {
  test.each([
    ['a file committed as it was left is done', 'a=2 n=1', 'a=1', 'a=2 n=1', ''],
    ['a file committed with other content stays', 'a=2', 'a=1', 'a=3', 'a=2'],
    ['a file missing from the commit stays', 'a=2 b=2', 'a=1 b=1', 'a=2', 'b=2'],
    ['a new file missing from the commit stays', 'n=1', '', 'a=1', 'n=1'],
    ['an uncommitted deletion stays', 'a=', 'a=1', 'b=1', 'a='],
    ['a committed deletion is done', 'a=', 'a=1', 'a=', ''],
    ['a file that equals its parent is dropped', 'a=1 n=', 'a=1', 'b=1', ''],
  ])('%s', (_, touched, parent, changed, expected) => {
    expect(text(carriedForward(files(touched), commit(files(parent), files(changed)).held))).toBe(
      expected,
    )
  })

  const anyFiles = fc
    .array(fc.constantFrom('a=', 'a=1', 'a=2', 'b=', 'b=1', 'b=2'), { maxLength: 4 })
    .map((words) => files(words.join(' ')))

  test('commits in parts leave nothing over, and take no file twice', () => {
    fc.assert(
      fc.property(anyFiles, anyFiles, (touched, parent) => {
        const left = carriedForward(touched, parent)
        const paths = left.map(({ path }) => path)
        expect(new Set(paths).size).toBe(paths.length)
        expect(carriedForward(touched, [...parent, ...left])).toEqual([])
        for (const file of left) {
          const rest = carriedForward(left, [...parent, file])
          expect(rest).toEqual(left.filter(({ path }) => path !== file.path))
        }
      }),
    )
  })

  test('a file committed as it was left counts as contributed, or was no change', () => {
    fc.assert(
      fc.property(anyFiles, anyFiles, anyFiles, (touched, parent, changed) => {
        const work = carriedForward(touched, parent)
        const left = new Set(
          carriedForward(work, commit(parent, changed).held).map(({ path }) => path),
        )
        const contributed = contributedFiles(work, commit(parent, changed).changes)
        for (const { path } of work) if (!left.has(path)) expect(contributed).toContain(path)
      }),
    )
  })
})
