/** Commands that an agent runs are recognised by their environment or by a process above them. */

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
  ['a person’s shell', ['bash', 'sshd'], {}, {}, false],
  ['an agent’s program', ['sh', 'claude', 'bash'], {}, {}, true],
  ['an interpreter of an agent', ['sh', 'node'], { 3: ['node', '/usr/bin/gemini'] }, {}, true],
  ['an agent’s script', ['node'], { 2: ['/usr/bin/node', '/x/codex.js'] }, {}, true],
  ['an agent’s variable', ['bash'], {}, { CLAUDECODE: '1' }, true],
  ['an empty variable', ['bash'], {}, { CLAUDECODE: '' }, false],
  ['an editor of a file named claude', ['vim'], { 2: ['vim', '-R', 'claude'] }, {}, false],
] as const)('tells whether an agent runs a command: %s', (_, names, words, env, expected) => {
  expect(below([...names], words as Record<number, string[]>, env)).toBe(expected)
})
