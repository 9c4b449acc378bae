/** What a session leaves to do, according to its last message and to what was said before it. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { unique } from '../message/items.ts'
import { instructionsAtEnd, statedSteps } from '../message/left.ts'
import { asksForNewWork, isFaultReport } from '../prompt/request.ts'
import { pendingIn } from '../message/summary-sections.ts'
import type { Turn } from '../turn/turns.ts'
import { changedSomething, turnsOf, wasBegun } from '../turn/turns.ts'

/** `isOver`: the session ended with `message`, not in the middle of its work. */
export function leftAtEnd(
  entries: readonly TranscriptEntry[],
  message: string,
  isOver: boolean,
): readonly string[] {
  const pending = pendingOfSummary(entries)
  if (pending.length > 0) return pending
  const stated = statedSteps(message)
  if (stated.length > 0) return stated
  return unique([...instructionsAtEnd(message), ...(isOver ? leftBefore(entries) : [])])
}

/** The pending tasks in a compaction's summary hold until the user asks for something or the agent replies. */
function pendingOfSummary(entries: readonly TranscriptEntry[]): string[] {
  const at = entries.findLastIndex(({ kind }) => kind === 'summary' || kind === 'prompt')
  const last = entries[at]
  const isOver = entries.slice(at + 1).some(({ kind }) => kind === 'assistant' || kind === 'plan')
  return last?.kind === 'summary' && !isOver ? pendingIn(last.text) : []
}

/**
 * The steps stated in the last turn that changed something or began a new request. Later talk does not change
 * them. If that turn fixed a fault and states no steps, those of the turn before the fault still hold.
 */
function leftBefore(entries: readonly TranscriptEntry[]): readonly string[] {
  const all = turnsOf(entries)
  const turns = all.filter((turn) => isWork(turn))
  const last = turns.at(-1)
  if (last === undefined) return []
  const left = statedSteps(lastWords(last))
  if (left.length > 0) return left
  if (!isFaultReport(last.prompt.text)) {
    return instructionsAtEnd(lastWords(last)).filter(
      (one) => last === all.at(-1) || !HANDS_OVER.test(one),
    )
  }
  const fixed = turns.findLast(({ prompt }) => !isFaultReport(prompt.text))
  return fixed === undefined ? [] : statedSteps(lastWords(fixed))
}

/** The prompts after it have handed it over, or have done without it. */
const HANDS_OVER = /\b(?:paste|share|send|provide|upload)\b.*\b(?:here|chat|me)\b/i

function isWork(turn: Turn): boolean {
  const { prompt, entries } = turn
  const hasSteps = wasBegun(entries) && statedSteps(lastWords(turn)).length > 0
  return hasSteps || changedSomething(entries) || asksForNewWork(prompt.text)
}

function lastWords({ entries }: Turn): string {
  const end = entries.findLast(({ kind }) => kind === 'assistant')
  return end?.kind === 'assistant' ? end.text : ''
}
