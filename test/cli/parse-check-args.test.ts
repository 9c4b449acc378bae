import { describe, expect, test } from 'vitest'
import { checkOutput, parseCheckArgs } from '../../src/cli/ledger/parse-check-args.ts'

describe('the plain forms of check need no command-line library', () => {
  test.each([
    [[], { target: { kind: 'worktree' }, json: false }],
    [['--worktree'], { target: { kind: 'worktree' }, json: false }],
    [['--json'], { target: { kind: 'worktree' }, json: true }],
    [['--staged', '--json'], { target: { kind: 'staged' }, json: true }],
    [['--rev', 'main~1'], { target: { kind: 'rev', rev: 'main~1' }, json: false }],
    [['--json', '--rev', 'HEAD'], { target: { kind: 'rev', rev: 'HEAD' }, json: true }],
  ])('%j', (words, expected) => expect(parseCheckArgs(words)).toEqual(expected))

  test.each([
    ...['--help', '--range', '--rev', '--rev=HEAD', 'HEAD', '--no-json', '--staged=1'].map((w) => [
      w,
    ]),
    ['--staged', '--worktree'],
    ['--rev', '--json'],
    ['--rev', '-x'],
    ['--rev', 'a', 'b'],
    ['--range', 'a..b'],
    ['--staged', '--rev', 'a'],
  ])('leaves everything else to the parser: %s %s', (...words) => {
    expect(parseCheckArgs(words.filter((word) => word !== undefined))).toBeUndefined()
  })
})

test('check names the next command for the place that is stale', () => {
  const report = (where: 'worktree' | 'commit', fresh: boolean, pending = 0) => ({
    fresh,
    pending: Array.from({ length: pending }, () => 'events/x.md'),
    damaged: [],
    isUnseen: false,
    checked: [{ rev: where === 'commit' ? 'a'.repeat(40) : null, where, fresh, reason: 'r' }],
  })
  expect(checkOutput(report('worktree', true, 2), false)).toEqual({
    out: 'worktree: fresh: r\n',
    talk: '2 pending (in no commit yet)\n',
  })
  expect(checkOutput(report('worktree', false), false).talk).toBe('next: ledger-git resolve\n')
  expect(checkOutput(report('commit', false), false)).toEqual({
    out: `${'a'.repeat(12)}: stale: r\n`,
    talk: 'next: ledger-git resolve --commit\n',
  })
  expect(JSON.parse(checkOutput(report('commit', true), true).out)).toEqual({
    fresh: true,
    checked: report('commit', true).checked,
  })
})
