/** Files that a session created and removed again are reported as deleted, not as changed. */

import { expect, test } from 'vitest'
import { summarizeTurn } from '../../../src/core/report/turn-summary.ts'
import { agent, call, entriesOf, NO_WORK, user } from '../report/endings.ts'

const TOP = '/home/ada/api'
const write = (file: string) =>
  call('Write', { file_path: `${TOP}/${file}` }, { content: 'created' })
const run = (command: string, is_error = false) =>
  call('Bash', { command }, { content: is_error ? 'Exit code 1' : '', is_error })

const DELETED = ['Changed src/a.ts', 'Deleted try/b.ts']
const KEPT = ['Changed src/a.ts, try/b.ts']

test.each<[string, string[][], string[]]>([
  ['removed by name', [run('rm -f try/b.ts')], DELETED],
  ['removed with its directory', [run(`rm -rf ${TOP}/try/ && npm test`)], DELETED],
  ['removed by git', [run('git rm -q try/b.ts; git status')], DELETED],
  [
    'removed from the directory that the command changed into',
    [run(`cd ${TOP} && rm ./try/b.ts`)],
    DELETED,
  ],
  ['removed from a directory given by its full path', [run(`cd ${TOP}/try && rm b.ts`)], DELETED],
  ['removed and written again', [run('rm try/b.ts'), write('try/b.ts')], KEPT],
  ['not removed because the command failed', [run('rm try/b.ts', true)], KEPT],
  ['removed only from the index', [run('git rm --cached try/b.ts')], KEPT],
  ['perhaps removed', [run('test -d try || rm -r try')], KEPT],
  ['perhaps removed by a pattern', [run('rm try/*.ts')], KEPT],
  [
    'perhaps another file, after an earlier change of directory',
    [run('cd web && npm test'), run('rm try/b.ts')],
    KEPT,
  ],
  ['a file of the same name removed elsewhere', [run(`rm ${TOP}/b.ts`)], KEPT],
])('%s', (_, calls, told) => {
  const entries = entriesOf(
    user('count the calls by user'),
    write('src/a.ts'),
    write('try/b.ts'),
    ...calls,
    agent('It counts.'),
  )
  const files = ['src/a.ts', 'try/b.ts']
  const summary = summarizeTurn({ ...NO_WORK, entries, untold: entries, tops: [TOP], files })
  expect(summary?.thisSession).toEqual(told)
})
