/**
 * When and how to ask the agent to record its work in its own words (`session.ask`). The agent knows best what was
 * decided and what is left, but few agents record it unasked. Pure.
 */

import { ASK_OPENING } from '../agents/agent-text.ts'
import { shellWord } from '../text/shell-word.ts'

/** Unix times in milliseconds; undefined: never. */
export interface AskFacts {
  readonly now: number
  /** How long work may go unrecorded; undefined: forever. */
  readonly interval: number | undefined
  readonly startedAt: number | undefined
  /** When the session last changed a file. */
  readonly workedAt: number | undefined
  /** When somebody last wrote an event of the session; automatic events do not count. */
  readonly recordedAt: number | undefined
  readonly askedAt: number | undefined
}

/**
 * True if work was done that was not recorded, and nothing was recorded for long enough. Asking counts like recording,
 * so that the agent is not asked twice about the same work.
 */
export function isAskDue(facts: AskFacts): boolean {
  const { now, interval, startedAt = 0, workedAt, recordedAt = 0, askedAt = 0 } = facts
  if (interval === undefined || workedAt === undefined) return false
  const said = Math.max(recordedAt, askedAt)
  return workedAt > said && now - Math.max(said, startedAt) >= interval
}

/** What the agent reads instead of ending its turn: a statement and a command, not an order. */
export function askText(agent: string, session: string): string {
  const who = `--agent ${shellWord(agent)} --session ${shellWord(session)}`
  return (
    `${ASK_OPENING}, and nothing of it is recorded yet. ` +
    'The next reader sees what this command writes: one short line per option, without options that do not apply:\n\n' +
    `ledger-git event add ${who} --now "where it stands" --done "what was done" --next "what is left" ` +
    '--decision "key=what was decided, and why" --question "what is open"\n\n' +
    'Not found? git ledger is the same command. You are asked only once; if nothing is worth recording, do nothing.'
  )
}
