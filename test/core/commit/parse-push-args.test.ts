import { expect, test } from 'vitest'
import { isDryPush } from '../../../src/core/commit/parse-push-args.ts'

const read = (line: string) => isDryPush(['git', ...line.split(' ')])

test.each([
  'push --dry-run',
  'push -n',
  'push -fnq origin main',
  'push origin main --dry',
  '-C push -c x=y push -nu origin HEAD',
  'push -o ci.skip -n',
  'push --no-dry-run --dry-run',
])('a trial: git %s', (line) => {
  expect(read(line)).toBe(true)
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
  expect(read(line)).toBe(false)
})
