/** How the staged changes of a work-in-progress commit are remembered. */

import { expect, test } from 'vitest'
import { keepStaged, stagedBefore } from '../../../src/app/context/wip-staged.ts'
import type { SessionContext } from '../../../src/app/shadow/session-context.ts'
import { textToName } from '../../../src/core/git/objects.ts'

const [FIRST, SECOND] = ['a'.repeat(40), 'b'.repeat(40)]
const BLOB = { mode: '100644', oid: 'c'.repeat(40) }

/** A context with a single file, in memory. */
function remembering(text?: string) {
  const file = { text }
  const plans = {
    read: () => file.text,
    write: (_: string, content: string) => void (file.text = content),
  }
  const context = { plans, repository: { place: { commonDir: '/repo/.git' } } }
  return { context: context as unknown as SessionContext, file }
}

const entry = (path: string, before: typeof BLOB | undefined, isClean = false) => ({
  path: textToName(path),
  before,
  after: BLOB,
  isClean,
})

test('remembers what was staged for each commit, deletions included, but no clean file', () => {
  const { context } = remembering()
  keepStaged(context, FIRST, [entry('a', BLOB), entry('gone', undefined), entry('b', BLOB, true)])
  keepStaged(context, SECOND, [entry('c', BLOB)])
  expect([...stagedBefore(context, FIRST)]).toEqual([
    ['a', BLOB],
    ['gone', undefined],
  ])
  expect([...stagedBefore(context, SECOND)]).toEqual([['c', BLOB]])
  expect([...stagedBefore(context, 'd'.repeat(40))]).toEqual([])
})

test.each([
  ['truncated', `{"commit":"${FIRST}","staged":[{"path":"a"}`],
  ['of another shape', `{"commit":"${FIRST}","staged":{}}`],
  ['with an invalid path', `{"commit":"${FIRST}","staged":[{"path":1,"blob":null}]}`],
  ['with an invalid blob', `{"commit":"${FIRST}","staged":[{"path":"a","blob":{}}]}`],
])('ignores a line that is %s, and still keeps the next one', (_, line) => {
  const { context } = remembering(`${line}\n`)
  expect([...stagedBefore(context, FIRST)]).toEqual([])
  keepStaged(context, SECOND, [entry('c', BLOB)])
  expect([...stagedBefore(context, SECOND)]).toEqual([['c', BLOB]])
})

test('keeps the newest fifty commits', () => {
  const { context, file } = remembering()
  const commits = Array.from({ length: 60 }, (_, i) => i.toString(16).padStart(40, '0'))
  for (const commit of commits) keepStaged(context, commit, [entry('a', BLOB)])
  expect(file.text?.trimEnd().split('\n')).toHaveLength(50)
  expect(stagedBefore(context, commits[9]!).size).toBe(0)
  expect(stagedBefore(context, commits[10]!).size).toBe(1)
})
