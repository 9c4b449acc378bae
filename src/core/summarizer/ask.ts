/**
 * Asking the agent for its own words (`session.ask`): when, and how. Nobody knows better than the agent what
 * was decided and what is left, and few say so unasked. Pure.
 */

import { ASK_OPENING } from '../agents/agent-text.ts'
import { shellWord } from '../text/shell-word.ts'

/** Unix times in milliseconds; undefined: never. */
export interface AskFacts {
  readonly now: number
  /** How long work may go unrecorded; undefined: for good. */
  readonly interval: number | undefined
  readonly startedAt: number | undefined
  /** When the session last changed a file. */
  readonly workedAt: number | undefined
  /** When an event of the session was last written by somebody, not made by itself. */
  readonly recordedAt: number | undefined
  readonly askedAt: number | undefined
}

/**
 * True when work was done that nothing was said about, and nothing was said for long enough. What was asked
 * about counts as said: no piece of work is asked about twice.
 */
export function isAskDue(facts: AskFacts): boolean {
  const { now, interval, startedAt = 0, workedAt, recordedAt = 0, askedAt = 0 } = facts
  if (interval === undefined || workedAt === undefined) return false
  const said = Math.max(recordedAt, askedAt)
  return workedAt > said && now - Math.max(said, startedAt) >= interval
}

/** What the agent reads in place of being done: a statement and a command, not an order. */
export function askText(agent: string, session: string): string {
  const who = `--agent ${shellWord(agent)} --session ${shellWord(session)}`
  return (
    `${ASK_OPENING}, and nothing of it is recorded yet. ` +
    'Whoever goes on reads what this command writes, one short line an option, without those that do not apply:\n\n' +
    `ledger-git event add ${who} --now "where it stands" --done "what was done" --next "what is left" ` +
    '--decision "key=what was decided, and why" --question "what is open"\n\n' +
    'Not found? git ledger is the same. It is asked once; where nothing is worth recording, nothing need be done.'
  )
}
