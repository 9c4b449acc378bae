/**
 * Questions that events of a session asked and that it asks no longer: the user went on. Those of a handoff
 * are its own words, and stay until it takes them back. Pure.
 */

import type { LedgerEvent } from '../event/event.ts'
import { isMadeByItself } from '../event/event.ts'
import { itemKey } from '../event/item-text.ts'
import type { Ledger } from '../ledger/join.ts'

type Asking = Pick<LedgerEvent, 'session' | 'type' | 'stream' | 'openQuestions'>

interface Telling {
  readonly openQuestions?: readonly string[]
  readonly resolvedQuestions?: readonly string[]
}

/** What an event is to tell, with what it resolves. `events`: those that are known. */
export function withAnswered<T extends Telling>(
  telling: T,
  events: readonly Asking[],
  session: string,
  ledger: Pick<Ledger, 'openQuestions'>,
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
  if (answered.length === 0) return telling
  return { ...telling, resolvedQuestions: [...(telling.resolvedQuestions ?? []), ...answered] }
}
