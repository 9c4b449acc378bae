/**
 * The tasks that a prompt or a to-do begins, and the message for a task that does not fit into the context. The message
 * states options and gives no orders; continuing anyway is one of the options. Pure.
 */

import type { AgentSignal } from '../agents/agent-signal.ts'
import { namedPaths } from '../estimate/named-files.ts'
import type { Fit } from '../estimate/verdict.ts'
import type { SessionState } from '../session/session-state.ts'
import { IS_SPEC } from './findings.ts'
import type { ContextRecord } from './record.ts'

/** Files named in a prompt that are considered. */
const MAX_PLANS = 3

export interface Task {
  readonly what: string
  readonly isFile: boolean
}

/** The tasks that a signal begins; none for most signals. `before`: the session's state. */
export function tasksOf(
  { kind, prompt = '', tool, subagent }: AgentSignal,
  before: SessionState | undefined,
  after: SessionState,
): Task[] {
  if (subagent !== undefined) return []
  if (kind === 'turn_start') {
    // These commands make their own estimate.
    if (/^\s*\/(?:checkpoint|shard|ralph)\b/.test(prompt)) return []
    const paths = namedPaths(prompt.replace(/(^|\s)@/g, '$1'))
    const plans = paths.filter((path) => IS_SPEC.test(path) || /(?:^|\/)prd\.json$/.test(path))
    return plans.slice(0, MAX_PLANS).map((what) => ({ what, isFile: true }))
  }
  if (kind !== 'tool_used' || tool?.todos === undefined) return []
  const isBegun = (text: string) =>
    before?.todos.some((todo) => todo.text === text && todo.status === 'in_progress') !== true
  return after.todos
    .filter(({ text, status }) => status === 'in_progress' && isBegun(text))
    .map(({ text }) => ({ what: text, isFile: false }))
}

/** Percent of the remaining context above which a task is large: from 60 % of the limit, it would end beyond 80 %. */
const LARGE_PERCENT = 50

/** The size of all these tasks together; undefined if it is unknown how much of the context remains. */
export function sizeOf(estimates: readonly Fit[]): ContextRecord['task'] {
  const shares = estimates.map(({ percentOfRemaining }) => percentOfRemaining)
  if (shares.length === 0 || shares.includes(undefined)) return undefined
  const share = shares.reduce<number>((sum, one = 0) => sum + one, 0)
  return share > LARGE_PERCENT ? 'large' : 'small'
}

export interface Foreseen extends Fit {
  /** A plan's path, or a to-do in words. */
  readonly what: string
  readonly isFile: boolean
  readonly tokens: number
}

/** The message for the agent and the person. */
export function foreseenText({ what, isFile, tokens, verdict, ...fit }: Foreseen): string {
  const share =
    verdict === 'exceeds-remaining'
      ? `more than remains of this context (${fit.percentOfRemaining}% of it)`
      : `${fit.percentOfWindow}% of the context window`
  const file = isFile ? what : 'FILE'
  return [
    `"${what}" takes about ${Math.round(tokens / 1000)}k tokens: ${share}.`,
    'Options: `ledger-git context checkpoint` first, then a new session; ' +
      `\`ledger-git context shard ${file}\` to split it into parts that fit (\`--issues\`: also as sub-issues); ` +
      'a subagent for heavy reading; going on anyway.',
  ].join('\n')
}
