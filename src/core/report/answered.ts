/**
 * What events of a session said and what is over: questions that it asks no longer, and steps where nothing is
 * left now: the user went on. What a handoff says are its own words, and stays until it takes them back. Pure.
 */

import type { LedgerEvent } from '../event/event.ts'
import { isMadeByItself } from '../event/event.ts'
import { itemKey } from '../event/item-text.ts'
import type { Ledger } from '../ledger/join.ts'

type Asking = Pick<LedgerEvent, 'file' | 'session' | 'type' | 'stream' | 'openQuestions'>

interface Telling {
  readonly next?: readonly string[] | undefined
  readonly openQuestions?: readonly string[]
  readonly resolvedQuestions?: readonly string[]
}

/** What an event is to tell, with what it resolves and ends. `events`: those that are known. */
export function withAnswered<T extends Telling>(
  telling: T,
  events: readonly Asking[],
  session: string,
  ledger: Pick<Ledger, 'openQuestions' | 'next'>,
): T {
  const own = events.filter(
    (event) =>
      event.session === session && isMadeByItself(event.type) && event.stream === undefined,
  )
  const before = new Set(own.flatMap(({ openQuestions }) => openQuestions.map(itemKey)))
  const now = new Set((telling.openQuestions ?? []).map(itemKey))
  const answered = ledger.openQuestions
    .map(({ value }) => value)
    .filter((text) => before.has(itemKey(text)) && !now.has(itemKey(text)))
  const files = new Set(own.map(({ file }) => file))
  const isOver = telling.next === undefined && ledger.next.some(({ by }) => files.has(by.file))
  return {
    ...telling,
    ...(isOver ? { next: [] } : {}),
    ...(answered.length === 0
      ? {}
      : { resolvedQuestions: [...(telling.resolvedQuestions ?? []), ...answered] }),
  }
}
