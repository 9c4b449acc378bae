/** Parts of scripts that every agent's model can follow. */

import { join } from 'node:path'
import type { AgentName } from '../../src/core/agents/agents.ts'
import type { Repo } from '../support/git-repo.ts'
import type { Answer } from './model.ts'
import { until } from './play.ts'
import { PROGRAMS } from './programs.ts'

/** A turn that writes a file, commits it and says so. */
export function working(repo: Repo, agent: AgentName, name: string): Answer[] {
  const { write, shell } = PROGRAMS[agent]
  return [
    { text: 'I write it.', tools: [write(join(repo.folder, `${name}.txt`), `${name}\n`)] },
    { tools: [shell(`git add ${name}.txt && git commit -q -m 'feat: ${name}'`)] },
    { text: `The ${name} is in place.` },
  ]
}

/** A command that runs until `stopWaiting`, at the latest until the test is over. */
export function waiting(repo: Repo, agent: AgentName): Answer {
  const { folder } = repo.sandbox
  const isOver = `[ -e '${folder}/go' ] || [ ! -e '${folder}' ]`
  const command = `touch '${folder}/waiting'; until ${isOver}; do sleep 0.2; done`
  return { text: 'Now it takes a while.', tools: [PROGRAMS[agent].shell(command)] }
}

export async function isWaiting(repo: Repo): Promise<void> {
  await until(
    () => repo.exists('../waiting'),
    () => 'the command of the script',
  )
}

export function stopWaiting(repo: Repo): void {
  repo.write('../go', '')
}
