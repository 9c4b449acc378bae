/**
 * Which hooks of which coding agent call us, and the command that they run. Pure.
 *
 * The command is one line for any shell: Codex starts hooks with the user's own. In a clone without
 * ledger-git, outside a repository and whatever goes wrong it reads its input, says nothing and ends with
 * 0. Codex asks the user to trust a hook again when its text changes, so the text stays the same as long
 * as it can: what is to be done stands in `githooks/run`.
 */

export type AgentName = 'claude' | 'codex' | 'gemini'

export const AGENT_NAMES: readonly AgentName[] = ['claude', 'codex', 'gemini']

export interface AgentHook {
  readonly event: string
  /** Tools, or triggers of a compaction, that the hook is for. */
  readonly matcher?: string
  readonly seconds: number
}

export interface Agent {
  readonly title: string
  /** The settings file that the team shares, from the top of the worktree. */
  readonly file: string
  /** The one for this clone only. */
  readonly localFile?: string
  /** The agent's unit of time-outs in a second. */
  readonly perSecond: 1 | 1000
  /** By which the agent's own commands name the hook. */
  readonly hookName?: string
  readonly hooks: readonly AgentHook[]
  /** What is left for the user to do. */
  readonly note?: string
}

/** Only events that every release of the agent knows: Claude Code drops a whole file for an unknown one. */
export const AGENTS: Readonly<Record<AgentName, Agent>> = {
  claude: {
    title: 'Claude Code',
    file: '.claude/settings.json',
    localFile: '.claude/settings.local.json',
    perSecond: 1,
    hooks: [
      { event: 'SessionStart', seconds: 20 },
      { event: 'UserPromptSubmit', seconds: 10 },
      {
        event: 'PostToolUse',
        // Files, commands, to-dos, subagents; with the names that older and newer releases use.
        matcher:
          'Edit|MultiEdit|Write|NotebookEdit|Bash|TodoWrite|TaskCreate|TaskUpdate|Task|Agent',
        seconds: 10,
      },
      { event: 'PreCompact', seconds: 20 },
      { event: 'Stop', seconds: 30 },
      { event: 'SubagentStop', seconds: 10 },
      // All hooks of this event share 1.5 s, unless one asks for more.
      { event: 'SessionEnd', seconds: 10 },
    ],
  },
  codex: {
    title: 'Codex',
    file: '.codex/hooks.json',
    perSecond: 1,
    hooks: [
      { event: 'SessionStart', seconds: 20 },
      { event: 'UserPromptSubmit', seconds: 10 },
      { event: 'PostToolUse', matcher: 'Bash|apply_patch|update_plan', seconds: 10 },
      { event: 'PreCompact', seconds: 20 },
      { event: 'Stop', seconds: 30 },
      // In place of Stop; releases that do not know it pass it over. More is cut to this, as below.
      { event: 'Interrupt', seconds: 3 },
      { event: 'SubagentStop', seconds: 10 },
      // More is cut to this, with a warning at every start.
      { event: 'SessionEnd', seconds: 3 },
    ],
    note: 'Codex runs hooks only after you trusted them: open Codex here and type /hooks',
  },
  gemini: {
    title: 'Gemini CLI',
    file: '.gemini/settings.json',
    perSecond: 1000,
    hookName: 'ledger-git',
    hooks: [
      { event: 'SessionStart', seconds: 20 },
      { event: 'BeforeAgent', seconds: 10 },
      {
        event: 'AfterTool',
        matcher: '^(write_file|replace|run_shell_command|write_todos|invoke_agent)$',
        seconds: 10,
      },
      // It says `auto` before every request to its model, and waits.
      { event: 'PreCompress', matcher: 'manual', seconds: 20 },
      { event: 'AfterAgent', seconds: 30 },
      { event: 'SessionEnd', seconds: 10 },
    ],
    note: 'Gemini CLI runs hooks of trusted folders only: /permissions shows whether this one is',
  },
}

/** Raised when the text of the command changes; newer replaces older, never the other way. */
const COMMAND_VERSION = 1

/** What the agent runs at this event. Input that nobody read makes Codex call the hook failed. */
export function agentCommand(agent: AgentName, event: string): string {
  return (
    'sh -c \'d=$(git rev-parse --git-common-dir 2>/dev/null) && [ -x "$d/ledger-git/run" ] && ' +
    `"$d/ledger-git/run" agent-hook ${agent} ${event} || cat >/dev/null; exit 0 # ledger-git v${COMMAND_VERSION}'`
  )
}

/**
 * What a command in somebody's settings is to us. `edited`: calls us, but not in words that we wrote;
 * it is the user's then.
 */
export type CommandKind = 'current' | 'older' | 'newer' | 'elsewhere' | 'edited' | 'foreign'

/** `elsewhere`: our words for another event or agent. */
export function kindOfCommand(command: string, agent: AgentName, event: string): CommandKind {
  const words = /\bledger-git(?:\/run)?["']? agent-hook (\w+) (\w+)/.exec(command)
  if (words === null) return 'foreign'
  const [, calledAgent = '', calledEvent = ''] = words
  const version = Number(/^sh -c '.* # ledger-git v(\d{1,6})'$/.exec(command)?.[1] ?? Number.NaN)
  const isWritten = version === COMMAND_VERSION && command === writtenFor(calledAgent, calledEvent)
  const isOther = version !== COMMAND_VERSION && !Number.isNaN(version)
  if (!isWritten && !isOther) return 'edited'
  if (calledAgent !== agent || calledEvent !== event) return 'elsewhere'
  if (isWritten) return 'current'
  return version < COMMAND_VERSION ? 'older' : 'newer'
}

function writtenFor(agent: string, event: string): string {
  return agentCommand(agent as AgentName, event)
}

/** One entry of an event's list, as the agent reads it. */
export function hookGroup(agent: AgentName, { event, matcher, seconds }: AgentHook): object {
  const { perSecond, hookName } = AGENTS[agent]
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [
      {
        ...(hookName === undefined ? {} : { name: hookName }),
        type: 'command',
        command: agentCommand(agent, event),
        timeout: seconds * perSecond,
      },
    ],
  }
}
