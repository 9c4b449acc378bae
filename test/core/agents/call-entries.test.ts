/** The label of a shell command: what the command does, not what leads up to it. And why a call failed. */

import { expect, test } from 'vitest'
import { callEntries, commandLabel } from '../../../src/core/agents/call-entries.ts'

const long = (name: string) => `${name} ${'x'.repeat(90)}`

test.each([
  ['npm test', 'npm test'],
  ['npm test\nnpm run lint', 'npm test …'],
  ['# all of it\nnpm test', 'npm test'],
  ['cd /tmp/a\nset -e\n# now\nnpm test\necho done', 'cd /tmp/a; set -e; # now; npm test …'],
  ['cd /tmp/a && \\\n  npm test', 'cd /tmp/a && npm test'],
  [`npm run ${'a'.repeat(113)}`, `npm run ${'a'.repeat(111)}…`],
  [`npm run ${'a'.repeat(112)}`, `npm run ${'a'.repeat(112)}`],
  ['KEY=1\nnpm test', 'KEY=1; npm test'],
  ['cd /tmp/a && npm test\necho done', 'cd /tmp/a && npm test …'],
  ['cd /tmp/a\ncd b', 'cd /tmp/a …'],
  [
    `git add -- ${'a'.repeat(200)} && git commit -m "fix: it"`,
    `git add -- ${'a'.repeat(44)}… && git commit -m "fix: it"`,
  ],
  [`${long('a')} && ${long('b')} && c`, `a ${'x'.repeat(33)}… && b ${'x'.repeat(33)}… && c`],
  [`${long('a')} ${long('b')}`, `${long('a')} b…`],
  [
    `git -C /home/ada/work/some-client/the-long-name-of-a-project/shop diff --stat -- src/a.ts src/b.ts src/c.ts src/d.ts src/e.ts`,
    'git -C …/shop diff --stat -- src/a.ts src/b.ts src/c.ts src/d.ts src/e.ts',
  ],
  [
    `cd /home/ada/work/some-client/the-long-name-of-a-project/shop/ && git add -A && git commit -m "fix: the footer of the shop" && git push`,
    'cd …/shop && git add -A && git commit -m "fix: the footer of the shop" && git push',
  ],
])('%j', (command, label) => {
  expect(commandLabel(command)).toBe(`\`${label}\``)
})

test.each([
  ['Exit code 1\nRunning 9 tests\nError: no server\n4 failed', 'Exit code 1, Error: no server'],
  ['Running 9 tests\nError: no server\n4 failed', 'Error: no server'],
  ['Running 9 tests\n  4 failed\n', '4 failed'],
  ['Error: no server\nTypeError: at start', 'Error: no server'],
  ['Running 9 tests\n0 failed, no error', 'Running 9 tests'],
  ['one\ntwo', 'one'],
  ['', 'failed'],
])('%j failed because of %j', (text, failed) => {
  const tool = { name: 'Bash', files: [], mayWrite: true, todos: undefined }
  expect(callEntries(tool, {}, { end: 'failed', text })).toMatchObject([{ failed }])
})
