import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { issueInBranch, issueKey } from '../../../src/core/tracker/issue-key.ts'
import { runs } from '../../support/long.ts'

const TEAMS = ['ANV', 'OPS2']

describe('the issue of a branch', () => {
  test.each([
    ['ANV-123', 'ANV-123'],
    ['feature/anv-123-login', 'ANV-123'],
    ['jo/fix_ANV-7', 'ANV-7'],
    ['fix-2-anv-3', 'ANV-3'],
    ['ops2-9/anv-3', 'OPS2-9'],
    ['v1.2-anv-3', 'ANV-3'],
    // Words that look like a key, or belong to another team.
    ['fix/UTF-8-paths', undefined],
    ['xanv-3', undefined],
    ['anv-3b', undefined],
    ['anv-03', undefined],
    ['anv-0', undefined],
    ['anv-', undefined],
    ['anv-1234567890', undefined],
    ['', undefined],
  ])('%s: %s', (branch, issue) => {
    expect(issueInBranch(branch, TEAMS)).toBe(issue)
  })

  test('is undefined without a branch or without teams', () => {
    expect(issueInBranch(undefined, TEAMS)).toBeUndefined()
    expect(issueInBranch('ANV-1', [])).toBeUndefined()
  })

  test('is found whatever surrounds the key, and nothing else is', () => {
    const word = fc.constantFrom('fix', 'utf-8', 'x', '', 'a-1', 'anv', '12', 'é')
    const separator = fc.constantFrom('/', '-', '_', '.', '--')
    const law = fc.property(word, separator, word, separator, (before, a, after, b) => {
      expect(issueInBranch(`${before}${a}anv-42${b}${after}`, ['ANV'])).toBe('ANV-42')
      expect(issueInBranch(`${before}${a}utf-8${b}${after}`, ['ANV'])).toBeUndefined()
    })
    fc.assert(law, runs(400, 200))
  })
})

test('issueKey accepts a complete key of a named team as somebody types it', () => {
  expect(issueKey('anv-12', TEAMS)).toBe('ANV-12')
  for (const text of ['ANV-12 ', 'ANV-12;x', 'ANV', 'UTF-8', 'https://linear.app/x/ANV-12']) {
    expect(issueKey(text, TEAMS)).toBeUndefined()
  }
})
