/** Whether an agent started this process: judged by the environment of its commands, and by the processes above. */

import { AGENT_NAMES, AGENTS } from '../../core/agents/agents.ts'
import { ancestorWords, processesAbove } from './process-table.ts'

/** `above`, `wordsOf`: another process table, for tests. */
export function isBelowAgent(
  env: NodeJS.ProcessEnv,
  above = processesAbove,
  wordsOf = ancestorWords,
): boolean {
  if (isAgentEnvironment(env)) return true
  return above().some(({ pid, name }) =>
    // A script runs as its interpreter: its own name is the second word.
    [name, ...wordsOf(pid).slice(0, 2)].some((word) => isAgentName(word.replace(/^.*\//, ''))),
  )
}

function isAgentEnvironment(env: NodeJS.ProcessEnv): boolean {
  return AGENT_NAMES.some((name) => (env[AGENTS[name].variable] ?? '') !== '')
}

function isAgentName(word: string): boolean {
  return AGENT_NAMES.some((name) => word === name || word === `${name}.js`)
}
