import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileVersion } from '../../../src/core/checkpoint/condensation.ts'
import {
  carriedForward,
  committableFiles,
  contributedFiles,
} from '../../../src/core/checkpoint/condensation.ts'

/** `a=1` is a file with a blob, `a=` a deleted one. */
function files(text: string): FileVersion[] {
  const words = text.split(' ').filter((word) => word !== '')
  return words.map((word) => {
    const [path = '', blob = ''] = word.split('=')
    return { path, blob: blob === '' ? undefined : blob }
  })
}
/** What a commit changes, and what it holds then. */
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
    ['what is there as it was left', 'a=2 n=1', 'a=1', 'a=1', 'a=2 n=1', 'a n'],
    ['what is in the index alone', 'n=1', '', 'n=1', 'n=', 'n'],
    ['what was touched up', 'a=2', 'a=1', 'a=1', 'a=3', 'a'],
    ['a deletion', 'a=', 'a=1', 'a=1', 'a=', 'a'],
    ['what was thrown away', 'a=2 n=1', 'a=1', 'a=1', 'a=1 n=', ''],
    ['what is committed already', 'a=2 n=1', 'a=2 n=1', 'a=2 n=1', 'a=2 n=1', ''],
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
    ['a changed file that was touched up, or committed in part', 'a=2', 'a=1', 'a=3', 'a'],
    ['a new file as it was left', 'n=1', '', 'n=1', 'n'],
    ['a new file that somebody replaced', 'n=1', '', 'n=2', ''],
    ['a file that the commit leaves alone', 'a=2', 'a=1', 'b=1', ''],
    ['a deletion', 'a=', 'a=1', 'a=', 'a'],
    ['a file that it deleted and somebody else changed', 'a=', 'a=1', 'a=2', ''],
    ['a file that it changed and somebody else deleted', 'a=2', 'a=1', 'a=', ''],
    ['a file that it put back as it was', 'a=1', 'a=1', 'a=2', ''],
    ['a new file that it deleted again', 'n=', '', 'n=1', ''],
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
    ['what is committed as it was left is done', 'a=2 n=1', 'a=1', 'a=2 n=1', ''],
    ['another content stays', 'a=2', 'a=1', 'a=3', 'a=2'],
    ['what the commit lacks stays', 'a=2 b=2', 'a=1 b=1', 'a=2', 'b=2'],
    ['a new file that the commit lacks stays', 'n=1', '', 'a=1', 'n=1'],
    ['a deletion that is not committed stays', 'a=', 'a=1', 'b=1', 'a='],
    ['a committed deletion is done', 'a=', 'a=1', 'a=', ''],
    ['what is as the parent has it is nothing', 'a=1 n=', 'a=1', 'b=1', ''],
  ])('%s', (_, touched, parent, changed, expected) => {
    expect(text(carriedForward(files(touched), commit(files(parent), files(changed)).held))).toBe(
      expected,
    )
  })

  const anyFiles = fc
    .array(fc.constantFrom('a=', 'a=1', 'a=2', 'b=', 'b=1', 'b=2'), { maxLength: 4 })
    .map((words) => files(words.join(' ')))

  test('a split commit leaves nothing over, and takes no file twice', () => {
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

  test('what is committed as it was left is contributed, or was no change', () => {
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
