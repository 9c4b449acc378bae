/** What a summarizer may say, and which parts of a program's answer are used. */

import { describe, expect, test } from 'vitest'
import { summaryDigest } from '../../../src/core/summarizer/summary-digest.ts'
import { MAX_ANSWER, readAnswer } from '../../../src/core/summarizer/summary-answer.ts'
import { parseJob, renderJob } from '../../../src/core/summarizer/summary-job.ts'

const same = (text: string) => text
const read = (text: string) => readAnswer(text, same)

describe('an answer', () => {
  test('sets the fields that describe the work', () => {
    const answer = `goal: a limit
now: counting per user
test: npm test
this_session: [counted, tested]
next: []
decisions: {store: "memory, not Redis"}
open_questions:
  - Which limit?
resolved_questions: [Where?]
`
    expect(read(answer)).toEqual({
      goal: 'a limit',
      now: 'counting per user',
      test: 'npm test',
      thisSession: ['counted', 'tested'],
      next: [],
      decisions: [{ key: 'store', value: 'memory, not Redis' }],
      openQuestions: ['Which limit?'],
      resolvedQuestions: ['Where?'],
    })
  })

  test.each([
    ['a fence', '```yaml\nnow: tested\n```\n'],
    ['a fence without a word', '```\nnow: tested\n```'],
    ['text around a fence', 'Here it is:\n\n````yml\nnow: tested\n````\n\nI hope it helps.'],
    ['Windows line endings', '```yaml\r\nnow: tested\r\n```\r\n'],
  ])('removes: %s', (_, answer) => {
    expect(read(answer)).toEqual({ now: 'tested' })
  })

  test('cannot set whose event it is, nor affect other events', () => {
    const answer = `now: tested
ts: 2099-01-01T00:00:00Z
agent: mallory
branch: main
type: retraction
session: other
commit: 1f0c62aa
stream: theirs
reason: because
retracts: [2026-01-09T08-00-00Z_crisp_00c0ffee.md]
supersedes: [toast]
checkpoints: [{phase: 1, status: validated}]
covers: []
unknown: {a: b}
`
    expect(read(answer)).toEqual({ now: 'tested' })
    expect(read('retracts: [2026-01-09T08-00-00Z_crisp_00c0ffee.md]')).toBeUndefined()
  })

  test.each([
    ['an empty text', ''],
    ['prose', 'I cannot do that.'],
    ['a list', '- now: tested'],
    ['broken YAML', 'now: tested\nnext: [a'],
    ['another front matter', '---\nagent: mallory\n---\nnow: tested'],
    ['a NUL', 'now: te\0sted'],
    ['ten megabytes', `now: ${'x'.repeat(10_000_000)}`],
    ['only unknown keys', 'summary: all is well'],
    ['a blank value', 'now: " "'],
  ])('rejects %s', (_, answer) => {
    expect(read(answer)).toBeUndefined()
  })

  test('is redacted, including its keys, before it is cut', () => {
    const clean = (text: string) => text.replaceAll('hunter2', '[redacted: password]')
    const long = `${'x'.repeat(1995)}hunter2`
    const answer = `now: use hunter2\ndecisions: {hunter2: hunter2}\nnext: [hunter2, ${long}]`
    const text = JSON.stringify(readAnswer(answer, clean))
    expect(text).toContain('use [redacted: password]')
    expect(text).not.toMatch(/hunt/)
  })

  test('is limited in size', () => {
    const many = `next: [${'a, '.repeat(900)}b]\nnow: ${'y'.repeat(5000)}`
    const fields = read(many)
    expect(fields?.next).toHaveLength(50)
    expect(fields?.now).toHaveLength(2000)
    expect(read(`now: ${'x'.repeat(MAX_ANSWER)}`)).toBeUndefined()
  })
})

test('a digest contains what is known, and the end of the conversation', () => {
  const long = 'z'.repeat(3990)
  const talk = Array.from({ length: 30 }, (_, i) => ({
    kind: 'assistant' as const,
    text: `${i} ${long}`,
  }))
  const tool = { name: 'Bash', files: [], mayWrite: true, todos: undefined, command: 'npm test' }
  const text = summaryDigest({ now: 'tested', next: ['deploy'] }, [
    ...talk,
    { kind: 'prompt', text: 'Ship it' },
    { kind: 'tool', tool } as never,
  ])
  expect(text).toContain('now: tested')
  expect(text).toContain('- deploy')
  expect(text).toMatch(/agent: 29 z+\nuser: Ship it\nran: npm test\n$/)
  expect(text).not.toContain('agent: 19 ')
  expect(text.length).toBeLessThan(45_000)
})

test('reads a job back, and rejects anything else', () => {
  const worktree = { path: '/repo', name: '' }
  const about = {
    session: 's-1',
    worktree,
    ts: '2026-01-10T13:00:00Z',
    agent: 'claude',
    digest: 'd',
  }
  const job = { ...about, fields: { now: 'x', next: [] }, begunAt: 1 }
  expect(parseJob(renderJob(job))).toEqual(job)
  for (const text of ['', '[]', '{}', renderJob(job).replace('"version": 1', '"version": 2')]) {
    expect(parseJob(text)).toBeUndefined()
  }
})
