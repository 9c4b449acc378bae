import { expect, test } from 'vitest'
import { whyCommand } from '../../../src/core/fleet/why-command.ts'

const DECISION = {
  key: 'the db',
  values: [
    { value: 'mysql', agent: 'crisp', branch: 'two', ts: '2026-01-01T00:00:00Z', held_on: ['two'] },
  ],
}
const MAIN = { path: '/w/main', branch: 'main', pending: 0 }

test.each([
  [
    'a worktree that contains the value',
    { path: '/w/my two', branch: 'two', pending: 1 },
    "-C '/w/my two' ",
  ],
  ['a worktree whose folder is gone', { path: '/w/two', branch: 'two', pending: null }, ''],
  ['a worktree on an exported page', { path: 'two', branch: 'two', pending: 0 }, ''],
  ['a worktree without the value', { path: '/w/one', branch: 'one', pending: 0 }, ''],
])('%s', (_, worktree, there) => {
  expect(whyCommand(DECISION, [MAIN, worktree])).toBe(`git ${there}ledger why 'the db'`)
})
