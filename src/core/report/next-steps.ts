/** What a session leaves to do, by its last message and by what was said before it. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { unique } from '../message/items.ts'
import { directedAtEnd, statedSteps } from '../message/left.ts'
import { asksAnew, isFaultReport } from '../prompt/request.ts'
import { pendingIn } from '../message/summary-sections.ts'
import type { Turn } from '../turn/turns.ts'
import { didSomething, turnsOf, wasBegun } from '../turn/turns.ts'

/** `isOver`: the session ended on `message`, not within its work. */
export function leftAtEnd(
  entries: readonly TranscriptEntry[],
  message: string,
  isOver: boolean,
): readonly string[] {
  const pending = pendingOfSummary(entries)
  if (pending.length > 0) return pending
  const stated = statedSteps(message)
  if (stated.length > 0) return stated
  return unique([...directedAtEnd(message), ...(isOver ? leftBefore(entries) : [])])
}

/** A compaction sums up what was left, until the user asks for something again or something is done. */
function pendingOfSummary(entries: readonly TranscriptEntry[]): string[] {
  const at = entries.findLastIndex(({ kind }) => kind === 'summary' || kind === 'prompt')
  const last = entries[at]
  const isOver = entries.slice(at + 1).some(({ kind }) => kind === 'assistant' || kind === 'plan')
  return last?.kind === 'summary' && !isOver ? pendingIn(last.text) : []
}

/**
 * By the last turn that changed something or was asked anew: what was said since then leaves it as it was. So does
 * mending what that turn brought, until the mending itself is the last word.
 */
function leftBefore(entries: readonly TranscriptEntry[]): readonly string[] {
  const turns = turnsOf(entries).filter((turn) => isWork(turn))
  const last = turns.at(-1)
  if (last === undefined) return []
  const left = statedSteps(lastWords(last))
  if (left.length > 0) return left
  if (!isFaultReport(last.prompt.text)) return directedAtEnd(lastWords(last))
  const mended = turns.findLast(({ prompt }) => !isFaultReport(prompt.text))
  return mended === undefined ? [] : statedSteps(lastWords(mended))
}

function isWork(turn: Turn): boolean {
  const { prompt, entries } = turn
  const hasSteps = wasBegun(entries) && statedSteps(lastWords(turn)).length > 0
  return hasSteps || didSomething(entries) || asksAnew(prompt.text)
}

function lastWords({ entries }: Turn): string {
  const end = entries.findLast(({ kind }) => kind === 'assistant')
  return end?.kind === 'assistant' ? end.text : ''
}
