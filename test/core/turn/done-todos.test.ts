/** To-dos that are ticked although the log says otherwise. */

import { expect, test } from 'vitest'
import { isDoubtful } from '../../../src/core/turn/done-todos.ts'
import { call, entriesOf, NO, NO_WORK, user } from '../report/endings.ts'

const OK = { content: 'ok' }
const write = (path: string, result: object = OK) =>
  call('Write', { file_path: path, content: 'x' }, result as typeof OK)
const isDoubtfulAfter = (todo: string, ...lines: (string | string[])[]) =>
  isDoubtful(todo, { ...NO_WORK, entries: entriesOf(user('Add a limit'), ...lines) })

test('one is doubtful that names a file which the user did not let be written', () => {
  const todo = 'Create `limits.ts` (the counters)'
  const refused = write('/home/ada/api/src/limits.ts', NO)
  expect(isDoubtfulAfter(todo, refused)).toBe(true)
  expect(isDoubtfulAfter('Create a file of limits', refused)).toBe(false)
  expect(isDoubtfulAfter('Create other-limits.ts', refused)).toBe(false)
  // It was written after all, perhaps elsewhere.
  expect(isDoubtfulAfter(todo, refused, write('/home/ada/api/limits.ts'))).toBe(false)
  expect(isDoubtfulAfter(todo, write('/home/ada/api/src/other.ts', NO))).toBe(false)
})
