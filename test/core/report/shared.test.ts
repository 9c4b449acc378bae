/** Pushes and pull requests, recognized by the output of git and of GitHub's CLI. */

import { describe, expect, test } from 'vitest'
import { sharedLines } from '../../../src/core/report/shared.ts'
import { call, entriesOf } from './endings.ts'

const told = (...runs: (readonly [command: string, output: string, hasFailed?: true])[]) =>
  sharedLines(
    entriesOf(
      ...runs.map(([command, content, hasFailed = false]) =>
        call('Bash', { command }, { content, is_error: hasFailed }),
      ),
    ),
  )

const PUSH = 'To github.com:a/b.git\n   fff4d92..490c715  HEAD -> main'
const NEW =
  "To github.com:a/b.git\n * [new branch]      fix -> fix\nbranch 'fix' set up to track 'origin/fix'."
const ADDRESS = 'https://github.com/a/b/pull/12'

describe('what was shared', () => {
  test('names pushed branches as the remote names them', () => {
    expect(told(['git push', PUSH])).toEqual(['Pushed main'])
    expect(told(['git commit -m x && git push -u origin fix', NEW])).toEqual(['Pushed fix'])
    expect(
      told(['git -C ../b push --force', ' + fff4d92...490c715 x -> x (forced update)']),
    ).toEqual(['Pushed x'])
    expect(told(['git push', PUSH], ['git push', PUSH], ['git push', NEW])).toEqual([
      'Pushed main, fix',
    ])
  })

  test('omits a branch that a commit followed, a failed push, and a push with nothing to do', () => {
    expect(told(['git push', PUSH], ['git commit -m x', '[main 1f0c2b3] x'])).toEqual([])
    expect(told(['git push', PUSH], ['git commit -m x', 'x'], ['git push', NEW])).toEqual([
      'Pushed fix',
    ])
    expect(told(['git push', PUSH, true])).toEqual([])
    expect(told(['git push', 'Everything up-to-date'])).toEqual([])
    // A commit on another branch leaves the pushed one as it was; a merge may be on any.
    expect(told(['git push', PUSH], ['git commit -m x', '[fix 1f0c2b3] x'])).toEqual([
      'Pushed main',
    ])
    expect(told(['git push', PUSH], ['git commit -m x', '[detached HEAD 1f0c2b3] x'])).toEqual([])
    expect(told(['git push', PUSH], ['git merge fix && git commit', '[fix 1f0c2b3] x'])).toEqual([])
    expect(told(['git push --dry-run origin', PUSH], ['git push -n', PUSH])).toEqual([])
    expect(told(['cat push.log', PUSH])).toEqual([])
  })

  test('omits a branch that was deleted on the remote', () => {
    const gone = 'To github.com:a/b.git\n - [deleted]         main'
    expect(
      told(['git push', PUSH], ['git push', NEW], ['git push --delete origin main', gone]),
    ).toEqual(['Pushed fix'])
  })

  test('names opened pull requests and issues by their address', () => {
    expect(
      told(['gh pr create --fill', `Creating pull request for fix into main\n\n${ADDRESS}\n`]),
    ).toEqual([`Opened ${ADDRESS}`])
    const others = 'Like https://github.com/a/b/pull/3\n'
    expect(told(['gh pr create --fill', others + ADDRESS])).toEqual([`Opened ${ADDRESS}`])
    expect(told(['gh issue create -t x', 'https://github.com/a/b/issues/7'])).toEqual([
      'Opened https://github.com/a/b/issues/7',
    ])
    expect(
      told(['gh pr create --fill', `a pull request already exists:\n${ADDRESS}`, true]),
    ).toEqual([])
    expect(told(['gh pr view', ADDRESS])).toEqual([])
  })

  test('names merged pull requests by their number', () => {
    expect(told(['cd api && gh pr merge 12 --squash --delete-branch', ''])).toEqual([
      'Merged pull request 12',
    ])
    expect(told([`gh pr merge --rebase ${ADDRESS}`, ''])).toEqual(['Merged pull request 12'])
    expect(told(['gh pr merge 12 --squash', '', true])).toEqual([])
    // It is merged later, or nothing shows that it was.
    expect(told(['gh pr merge 12 --auto', ''])).toEqual([])
    expect(told(['gh pr merge 12 | tail -1', ''], ['gh pr merge 12; gh pr view', ''])).toEqual([])
    expect(told(['echo "gh pr merge 12"', ''])).toEqual([])
  })
})
