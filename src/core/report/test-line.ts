/** Test results, as an item of `this_session`. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'
import { lastFailedTest, lastPassedTest } from '../turn/test-command.ts'
import { isSubstantive } from '../turn/turns.ts'

/** Says that the last test run failed; otherwise how many tests passed, unless a turn already says so. */
export function testLine(untold: readonly TranscriptEntry[], turns: readonly string[]): string[] {
  // If the turn ended in the middle of its work, `now` reports the failure.
  const isOver = untold.findLast(isSubstantive)?.kind === 'assistant'
  const failed = isOver ? lastFailedTest(untold) : undefined
  if (failed !== undefined) return [shorten(`${FAILED}${failed}`, SUMMARY_LIMITS.item)]
  const { command, count, isBeforeChanges } = lastPassedTest(untold) ?? {}
  if (command === undefined || count === undefined) return []
  const [number = ''] = count.split(' ')
  if (turns.some((line) => isTold(number, line))) return []
  const since = isBeforeChanges === true ? ', before the last changes' : ''
  return [`${shorten(command, SUMMARY_LIMITS.item - MORE)}: ${count}${since}`]
}

/** A sentence about tests has the number: elsewhere it may count anything. */
function isTold(number: string, line: string): boolean {
  const asNumber = new RegExp(String.raw`(?<!\d)${number}(?!\d)`)
  return sentencesOf(line).some((one) => asNumber.test(one) && /test|pass/i.test(one))
}

const FAILED = 'Tests did not pass when they last ran: '
/** UTF-16 units for the count and ` before the last changes`. */
const MORE = 45
