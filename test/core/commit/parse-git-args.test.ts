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
])('recognizes an amendment: git %s', (line) => {
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
])('recognizes no amendment: git %s', (line) => {
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
])('git %s: skips the commit-msg hook: %s', (line, expected) => {
  expect(read(line).skipsVerify).toBe(expected)
})

test('reads the cleanup mode in all its forms', () => {
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
])('recognizes a dry run: git %s', (line) => {
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
])('recognizes a push: git %s', (line) => {
  expect(isTrial(line)).toBe(false)
})
