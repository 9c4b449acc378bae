/** The content of an active ledger as the fields of an event. */

import type { NewEvent } from '../event/event.ts'
import { itemKey } from '../event/item-text.ts'
import type { ActiveLedger } from './active-ledger.ts'

type Said = Pick<
  NewEvent,
  'goal' | 'test' | 'now' | 'thisSession' | 'next' | 'decisions' | 'openQuestions' | 'stream'
>

/**
 * The fields of an event for this ledger; undefined if the ledger is empty. `isComplete`: the work is finished,
 * so Next becomes an empty list.
 */
export function eventFields(ledger: ActiveLedger, isComplete = false): Said | undefined {
  const { goal, test, now, done, next, decisions, open_questions: questions } = ledger
  const said = {
    ...(goal !== null && { goal }),
    ...(test !== null && { test }),
    ...(now.length > 0 && { now: now.join('; ') }),
    ...(done.length > 0 && { thisSession: done }),
    ...((next.length > 0 || isComplete) && { next: isComplete ? [] : next }),
    ...(decisions.length > 0 && {
      decisions: decisions
        .filter(({ decision }) => decision.trim() !== '')
        .map(({ decision, reasoning }) => ({ key: decision, value: reasoning || 'yes' })),
    }),
    ...(questions.length > 0 && { openQuestions: questions }),
  }
  const { next: _, ...rest } = said
  const isSilent = Object.keys(rest).length === 0 && next.length === 0
  if (isSilent) return undefined
  return { ...said, ...(ledger.bound_track !== null && { stream: ledger.bound_track }) }
}

/** The ledger without what earlier archives (`told`) have already reported: only what this session added. */
export function withoutTold(ledger: ActiveLedger, told: readonly ActiveLedger[]): ActiveLedger {
  const rest = (name: 'done' | 'now' | 'open_questions') => {
    const known = new Set(told.flatMap((one) => one[name]).map(itemKey))
    return ledger[name].filter((item) => !known.has(itemKey(item)))
  }
  const isTold = (name: 'goal' | 'test') => told.some((one) => one[name] === ledger[name])
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return {
    ...ledger,
    goal: isTold('goal') ? null : ledger.goal,
    test: isTold('test') ? null : ledger.test,
    done: rest('done'),
    now: rest('now'),
    next: told.some(({ next }) => isSame(next, ledger.next)) ? [] : ledger.next,
    decisions: ledger.decisions.filter(
      (row) => !told.some((one) => one.decisions.some((other) => isSame(row, other))),
    ),
    open_questions: rest('open_questions'),
  }
}
