/**
 * The command that an agent's hooks run. Pure.
 *
 * The command is one line for any shell: Codex starts hooks with the user's own. In a clone without
 * ledger-git, outside a repository and whatever goes wrong it reads its input, says nothing and ends with
 * 0. Codex asks the user to trust a hook again when its text changes, so the text stays the same as long
 * as it can: what is to be done stands in `githooks/run`.
 */

import type { AgentHook } from './agent.ts'
import type { AgentName } from './agents.ts'
import { AGENTS, agentNamed } from './agents.ts'

/** Raised when the text of the command changes; newer replaces older, never the other way. */
const VERSION = 1
/** Of the text for agents that name the folder they were started in. */
const VERSION_WITH_PROJECT = 2

/** What the agent runs at this event. Input that nobody read makes Codex call the hook failed. */
export function agentCommand(agent: string, event: string): string {
  const call = `"$d/ledger-git/run" agent-hook ${agent} ${event}`
  const end = `cat >/dev/null; exit 0 # ledger-git v${versionFor(agent)}`
  return `sh -c 'd=$(${findGitDir(agent)}) && [ -x "$d/ledger-git/run" ] && ${call} || ${end}'`
}

/**
 * Of the repository that the agent was started in, where the agent names it: its shell may have gone into a submodule,
 * into a repository with anybody's programs, or out of all.
 */
function findGitDir(agent: string): string {
  const here = 'git rev-parse --git-common-dir 2>/dev/null'
  const variable = projectVariable(agent)
  if (variable === undefined) return here
  // The agent expands $NAME itself, but leaves this form to the shell. The folder may be a worktree that was removed.
  const there = `git -C "\${${variable}:-.}" rev-parse --path-format=absolute --git-common-dir`
  return `${there} 2>/dev/null || ${here}`
}

function versionFor(agent: string): number {
  return projectVariable(agent) === undefined ? VERSION : VERSION_WITH_PROJECT
}

function projectVariable(agent: string): string | undefined {
  const name = agentNamed(agent)
  return name && AGENTS[name].projectVariable
}

/** What Claude Code runs behind the tools that our other hooks are not for: they fill the context, too. */
export function contextCommand(agent: string, event: string): string {
  return agentCommand(agent, event).replace(' agent-hook ', ' context-hook ')
}

/**
 * What a command in somebody's settings is to us. `edited`: calls us, but not in words that we wrote;
 * it is the user's then. `context`: ours, for the context alone.
 */
export type CommandKind =
  | 'current'
  | 'older'
  | 'newer'
  | 'elsewhere'
  | 'edited'
  | 'context'
  | 'foreign'

/** Of whatever version. */
const IS_CONTEXT_COMMAND = /^sh -c '.*\bledger-git\/run" context-hook .* # ledger-git v\d{1,6}'$/

const WRITTEN_VERSION = /^sh -c '.* # ledger-git v(\d{1,6})'$/

export function isOlderContext(command: string, agent: AgentName): boolean {
  const version = Number(WRITTEN_VERSION.exec(command)?.[1])
  return IS_CONTEXT_COMMAND.test(command) && version < versionFor(agent)
}

/** `elsewhere`: our words for another event or agent. */
export function kindOfCommand(command: string, agent: AgentName, event: string): CommandKind {
  const words = /\bledger-git(?:\/run)?["']? agent-hook (\w+) (\w+)/.exec(command)
  if (words === null) return IS_CONTEXT_COMMAND.test(command) ? 'context' : 'foreign'
  const [, calledAgent = '', calledEvent = ''] = words
  const version = Number(WRITTEN_VERSION.exec(command)?.[1])
  const today = versionFor(calledAgent)
  const isWritten = version === today && command === agentCommand(calledAgent, calledEvent)
  const isOther = version !== today && !Number.isNaN(version)
  if (!isWritten && !isOther) return 'edited'
  if (calledAgent !== agent || calledEvent !== event) return 'elsewhere'
  if (isWritten) return 'current'
  return version < today ? 'older' : 'newer'
}

/** One entry of an event's list, as the agent reads it. */
export function hookGroup(
  agent: AgentName,
  { event, matcher, seconds }: AgentHook,
  command = agentCommand(agent, event),
): object {
  const { perSecond, hookName } = AGENTS[agent]
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [
      {
        ...(hookName === undefined ? {} : { name: hookName }),
        type: 'command',
        command,
        timeout: seconds * perSecond,
      },
    ],
  }
}
