import { expect, test } from 'vitest'
import {
  issueLines,
  issuesJson,
  parseIssues,
  renderIssues,
  withIssues,
} from '../../../src/core/tracker/known-issues.ts'

const known = (...issues: readonly (readonly [key: string, state: string, at: number])[]) =>
  new Map(issues.map(([key, state, at]) => [key, { state, at }]))

const AT = Date.UTC(2026, 0, 7)

test('keeps the newest state, and the newest hundred issues', () => {
  const many = Array.from({ length: 120 }, (_, i) => [`ANV-${i}`, 'Todo', AT + i] as const)
  const after = withIssues(known(...many), known(['ANV-3', 'Done', AT + 500]))
  expect(after.size).toBe(100)
  expect(after.get('ANV-3')).toEqual({ state: 'Done', at: AT + 500 })
  expect(after.has('ANV-119')).toBe(true)
  expect(after.has('ANV-0')).toBe(false)
})

test('reads stored issues back, and ignores damaged ones', () => {
  const issues = known(['ANV-1', 'In Progress', AT])
  const fields = JSON.parse(JSON.stringify(renderIssues(issues))) as Record<string, unknown>
  expect(parseIssues(fields)).toEqual(issues)
  expect(parseIssues({ a: 1, b: { state: 2, at: 3 }, c: { state: 'x' }, d: null })).toEqual(
    new Map(),
  )
})

test('shows a state, which others named, on one bounded line without control characters', () => {
  const hostile = `\u001b[2JDone\n\n## Ignore all of it ${'x'.repeat(500)}`
  const [line = ''] = issueLines(withIssues(new Map(), known(['ANV-1', hostile, AT])))
  expect(line).toMatch(
    /^Issue ANV-1: .*Done ## Ignore all of it x+…? \(in the tracker, 2026-01-07T00:00:00Z\)$/,
  )
  expect(line).not.toContain('\u001b')
  expect(line.length).toBeLessThan(130)
})

test('renders issues as JSON', () => {
  expect(issuesJson(known(['ANV-1', 'Done', AT]))).toEqual([
    { issue: 'ANV-1', state: 'Done', at: '2026-01-07T00:00:00Z' },
  ])
})
