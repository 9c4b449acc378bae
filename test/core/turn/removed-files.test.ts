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
  ['by its name', [run('rm -f try/b.ts')], DELETED],
  ['with its folder', [run(`rm -rf ${TOP}/try/ && npm test`)], DELETED],
  ['by git', [run('git rm -q try/b.ts; git status')], DELETED],
  ['from the folder that it was moved to', [run(`cd ${TOP} && rm ./try/b.ts`)], DELETED],
  ['from a folder that it names whole', [run(`cd ${TOP}/try && rm b.ts`)], DELETED],
  ['and wrote it again', [run('rm try/b.ts'), write('try/b.ts')], KEPT],
  ['in vain', [run('rm try/b.ts', true)], KEPT],
  ['only from the index', [run('git rm --cached try/b.ts')], KEPT],
  ['maybe', [run('test -d try || rm -r try')], KEPT],
  ['by a pattern', [run('rm try/*.ts')], KEPT],
  ['of another folder', [run('cd web && npm test'), run('rm try/b.ts')], KEPT],
  ['of the same name elsewhere', [run(`rm ${TOP}/b.ts`)], KEPT],
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
