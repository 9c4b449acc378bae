import { expect, test } from 'vitest'
import { isDryPush, readCommitWords } from '../../../src/core/commit/parse-git-args.ts'

const read = (line: string) => readCommitWords(['git', ...line.split(' ')])

test.each([
  'commit --amend',
  'commit --am -m x',
  '-c user.name=x commit -qm x --amen',
  'commit -m x --amend --',
  'commit -aF file --amend',
  'commit -mx --amend',
  'commit -S --amend',
  'commit --mess x --amend',
])('an amendment: git %s', (line) => {
  expect(read(line).isAmend).toBe(true)
})

test.each([
  'commit',
  'commit -m --amend',
  'commit -am --amend',
  'commit --message --amend',
  'commit --mess --amend',
  'commit -F --amend',
  'commit --author --amend',
  'commit -- --amend',
  'commit --amend --no-amend',
  'commit --message=--amend',
  'rebase --amend',
])('none: git %s', (line) => {
  expect(read(line).isAmend).toBe(false)
})

test.each([
  ['commit -n', true],
  ['commit -anm x', true],
  ['commit --no-verify', true],
  ['commit --no-verify --verify', false],
  ['commit -mn', false],
  ['commit -m n', false],
  ['commit -uno', false],
  ['commit -Sn', false],
])('git %s: the commit-msg hook is left out: %s', (line, expected) => {
  expect(read(line).skipsVerify).toBe(expected)
})

test('the clean-up, however it is given', () => {
  expect(read('commit --cleanup=scissors').cleanup).toBe('scissors')
  expect(read('commit --clean verbatim -q').cleanup).toBe('verbatim')
  expect(read('commit -m --cleanup=strip').cleanup).toBeUndefined()
})

const isTrial = (line: string) => isDryPush(['git', ...line.split(' ')])

test.each([
  'push --dry-run',
  'push -n',
  'push -fnq origin main',
  'push origin main --dry',
  '-C push -c x=y push -nu origin HEAD',
  'push -o ci.skip -n',
  'push --no-dry-run --dry-run',
])('a trial: git %s', (line) => {
  expect(isTrial(line)).toBe(true)
})

test.each([
  'push',
  'push origin n',
  'push -o n',
  'push -on origin',
  'push -fo -n',
  'push --push-option --dry-run',
  'push --dry-run --no-dry-run',
  'push --no-verify',
  'push -- -n',
  'push --delete origin x',
])('a push: git %s', (line) => {
  expect(isTrial(line)).toBe(false)
})
