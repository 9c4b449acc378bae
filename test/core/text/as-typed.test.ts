import { expect, test } from 'vitest'
import { asTyped } from '../../../src/core/text/as-typed.ts'
import { shellWord } from '../../../src/core/text/shell-word.ts'

const folder = shellWord("/it's here")

test.each([
  ['git ledger session show s1', 'npx ledger-git session show s1'],
  [
    'git switch x && git ledger resolve --commit',
    'git switch x && npx ledger-git resolve --commit',
  ],
  [
    `git switch ${shellWord("a'b")} && git ledger resolve`,
    `git switch ${shellWord("a'b")} && npx ledger-git resolve`,
  ],
  ['git -C /a/one ledger resolve', "npx -c 'cd /a/one && ledger-git resolve'"],
  [`git -C ${folder} ledger resolve`, `npx -c ${shellWord(`cd ${folder} && ledger-git resolve`)}`],
  // The advice in an error message.
  ['ledger-git config', 'npx ledger-git config'],
  ['mend it, then run ledger-git check', 'mend it, then run npx ledger-git check'],
  ['npx ledger-git install', 'npx ledger-git install'],
  // Text by others.
  [
    "git ledger event add --resolve 'run git ledger check, ledger-git show?'",
    "npx ledger-git event add --resolve 'run git ledger check, ledger-git show?'",
  ],
  ["git commit -m 'ledger-git is new'", "git commit -m 'ledger-git is new'"],
  ['git worktree prune --verbose', 'git worktree prune --verbose'],
  ['rm /a/.git/ledger-git/sessions/x', 'rm /a/.git/ledger-git/sessions/x'],
])('with npx: %s', (command, expected) => expect(asTyped(command, 'npx ledger-git')).toBe(expected))

test('installed globally, uses the same name everywhere', () => {
  expect(asTyped('git ledger show', 'ledger-git')).toBe('ledger-git show')
  expect(asTyped(`git -C ${folder} ledger resolve`, 'ledger-git')).toBe(
    `(cd ${folder} && ledger-git resolve)`,
  )
})

test.each(['git ledger show', `git -C ${folder} ledger resolve`, 'git show 1234567'])(
  'leaves a command for git ledger unchanged: %s',
  (command) => expect(asTyped(command, 'git ledger')).toBe(command),
)
