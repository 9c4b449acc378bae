/**
 * The command that an agent's hooks run. Pure.
 *
 * The command is one line that any shell can run, because Codex starts hooks with the user's own shell. In a
 * clone without ledger-git, outside a repository and on any error it reads its input, prints nothing and exits
 * with 0. Codex asks the user to trust a hook again when its text changes, so the text rarely changes: the
 * work itself is done in `githooks/run`.
 */

import type { AgentHook } from './agent.ts'
import type { AgentName } from './agents.ts'
import { AGENTS, agentNamed } from './agents.ts'

/** Increased when the text of the command changes. A newer text replaces an older one, never the reverse. */
const VERSION = 1
/** Version of the text for agents that name the folder they were started in. */
const VERSION_WITH_PROJECT = 2

/** The command that the agent runs at this event. It drains its input, else Codex reports the hook as failed. */
export function agentCommand(agent: string, event: string): string {
  const call = `"$d/ledger-git/run" agent-hook ${agent} ${event}`
  const end = `cat >/dev/null; exit 0 # ledger-git v${versionFor(agent)}`
  return `sh -c 'd=$(${findGitDir(agent)}) && [ -x "$d/ledger-git/run" ] && ${call} || ${end}'`
}

/**
 * Shell text that finds the git directory of the repository that the agent was started in, if the agent names it.
 * Its shell may since have moved into a submodule, into a repository with untrusted programs, or out of any repository.
 */
function findGitDir(agent: string): string {
  const here = 'git rev-parse --git-common-dir 2>/dev/null'
  const variable = projectVariable(agent)
  if (variable === undefined) return here
  // The agent expands $NAME itself but leaves this form to the shell. Fallback: the folder may be a removed worktree.
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

/** The command that Claude Code runs after tools that no other hook of ours matches: they fill the context, too. */
export function contextCommand(agent: string, event: string): string {
  return agentCommand(agent, event).replace(' agent-hook ', ' context-hook ')
}

/**
 * How a command in the settings relates to us. `edited`: it calls us, but with a text that we did not write, so it
 * belongs to the user. `context`: our command that only follows the context. `elsewhere`: our text for another event
 * or agent.
 */
export type CommandKind =
  | 'current'
  | 'older'
  | 'newer'
  | 'elsewhere'
  | 'edited'
  | 'context'
  | 'foreign'

/** Any version of it. */
const IS_CONTEXT_COMMAND = /^sh -c '.*\bledger-git\/run" context-hook .* # ledger-git v\d{1,6}'$/

const WRITTEN_VERSION = /^sh -c '.* # ledger-git v(\d{1,6})'$/

export function isOlderContext(command: string, agent: AgentName): boolean {
  const version = Number(WRITTEN_VERSION.exec(command)?.[1])
  return IS_CONTEXT_COMMAND.test(command) && version < versionFor(agent)
}

export function kindOfCommand(command: string, agent: AgentName, event: string): CommandKind {
  const words = /\bledger-git(?:\/run)?["']? agent-hook (\w+) (\w+)/.exec(command)
  if (words === null) return IS_CONTEXT_COMMAND.test(command) ? 'context' : 'foreign'
  const [, calledAgent = '', calledEvent = ''] = words
  const version = Number(WRITTEN_VERSION.exec(command)?.[1])
  const currentVersion = versionFor(calledAgent)
  const isCurrent = version === currentVersion && command === agentCommand(calledAgent, calledEvent)
  const isOtherVersion = version !== currentVersion && !Number.isNaN(version)
  if (!isCurrent && !isOtherVersion) return 'edited'
  if (calledAgent !== agent || calledEvent !== event) return 'elsewhere'
  if (isCurrent) return 'current'
  return version < currentVersion ? 'older' : 'newer'
}

/** One entry of an event's list, in the agent's format. */
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
