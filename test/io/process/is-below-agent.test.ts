/** Commands that an agent runs are recognised by their environment, or by a process above them. */

import { expect, test } from 'vitest'
import { isBelowAgent } from '../../../src/io/process/is-below-agent.ts'

const above = (...names: string[]) =>
  names.map((name, i) => ({ pid: i + 2, parent: i + 3, isZombie: false, startTime: '1', name }))
const below = (
  names: string[],
  words: Record<number, string[]> = {},
  env: NodeJS.ProcessEnv = {},
) =>
  isBelowAgent(
    env,
    () => above(...names),
    (pid) => words[pid] ?? [],
  )

test.each([
  ['a shell of a person', ['bash', 'sshd'], {}, {}, false],
  ['its program', ['sh', 'claude', 'bash'], {}, {}, true],
  ['an interpreter that runs it', ['sh', 'node'], { 3: ['node', '/usr/bin/gemini'] }, {}, true],
  ['a script of it', ['node'], { 2: ['/usr/bin/node', '/x/codex.js'] }, {}, true],
  ['its variable', ['bash'], {}, { CLAUDECODE: '1' }, true],
  ['an empty variable', ['bash'], {}, { CLAUDECODE: '' }, false],
  ['an editor with a file of that name', ['vim'], { 2: ['vim', '-R', 'claude'] }, {}, false],
] as const)('%s', (_, names, words, env, expected) => {
  expect(below([...names], words as Record<number, string[]>, env)).toBe(expected)
})
