import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candidate, FileVersion } from '../../../src/core/checkpoint/condensation.ts'
import {
  carriedForward,
  committableFiles,
  contributedFiles,
  judge,
} from '../../../src/core/checkpoint/condensation.ts'

/** `a=1` is a file with a blob, `a=` a deleted one. */
function files(text: string): FileVersion[] {
  const words = text.split(' ').filter((word) => word !== '')
  return words.map((word) => {
    const [path = '', blob = ''] = word.split('=')
    return { path, blob: blob === '' ? undefined : blob }
  })
}
const commit = (parent: string, changed: string) => ({
  parent: files(parent),
  changed: files(changed),
})
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
    expect(contributedFiles(files(touched), commit(parent, changed)).join(' ')).toBe(expected)
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
    expect(text(carriedForward(files(touched), commit(parent, changed)))).toBe(expected)
  })

  const anyFiles = fc
    .array(fc.constantFrom('a=', 'a=1', 'a=2', 'b=', 'b=1', 'b=2'), { maxLength: 4 })
    .map((words) => files(words.join(' ')))

  test('a split commit leaves nothing over, and takes no file twice', () => {
    fc.assert(
      fc.property(anyFiles, anyFiles, (touched, parent) => {
        const left = carriedForward(touched, { parent, changed: [] })
        const paths = left.map(({ path }) => path)
        expect(new Set(paths).size).toBe(paths.length)
        expect(carriedForward(touched, { parent, changed: left })).toEqual([])
        for (const file of left) {
          const rest = carriedForward(left, { parent, changed: [file] })
          expect(rest).toEqual(left.filter(({ path }) => path !== file.path))
        }
      }),
    )
  })

  test('what is committed as it was left is contributed, or was no change', () => {
    fc.assert(
      fc.property(anyFiles, anyFiles, anyFiles, (touched, parent, changed) => {
        const work = carriedForward(touched, { parent, changed: [] })
        const left = new Set(carriedForward(work, { parent, changed }).map(({ path }) => path))
        const contributed = contributedFiles(work, { parent, changed })
        for (const { path } of work) if (!left.has(path)) expect(contributed).toContain(path)
      }),
    )
  })
})

describe('judge', () => {
  const session: Candidate = {
    phase: 'idle',
    isTimedOut: false,
    hasPart: false,
    touchedFiles: false,
    hasPromised: false,
  }

  test('a part in the commit counts whatever the phase', () => {
    for (const phase of ['idle', 'active', 'active_committed', 'ended'] as const)
      for (const isTimedOut of [false, true])
        expect(judge({ ...session, phase, isTimedOut, hasPart: true })).toBe('condense')
  })

  test.each(['idle', 'active', 'active_committed'] as const)(
    '%s without a part goes along',
    (phase) => {
      for (const touchedFiles of [false, true])
        expect(judge({ ...session, phase, touchedFiles, hasPromised: true })).toBe('include')
    },
  )

  test.each([
    { phase: 'ended' as const, isTimedOut: false },
    { phase: 'active' as const, isTimedOut: true },
    { phase: 'active_committed' as const, isTimedOut: true },
  ])('over ($phase, timed out: $isTimedOut)', (over) => {
    expect(judge({ ...session, ...over })).toBe('discard')
    expect(judge({ ...session, ...over, touchedFiles: true })).toBe('keep')
    expect(judge({ ...session, ...over, hasPromised: true })).toBe('condense')
  })
})
