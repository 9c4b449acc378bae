/**
 * What earlier events of a session said that no longer holds: questions that the session has stopped asking, and
 * next steps when none are left because the user moved on. Handoffs are excluded: what they say stays until they
 * change it themselves. Pure.
 */

import type { LedgerEvent } from '../event/event.ts'
import { isMadeByItself } from '../event/event.ts'
import { itemKey } from '../event/item-text.ts'
import type { Ledger } from '../ledger/join.ts'

type KnownEvent = Pick<LedgerEvent, 'file' | 'session' | 'type' | 'stream' | 'openQuestions'>

interface EventFields {
  readonly next?: readonly string[] | undefined
  readonly openQuestions?: readonly string[]
  readonly resolvedQuestions?: readonly string[]
}

/** The fields of an event, plus the questions it resolves and the steps it ends. `events`: all known events. */
export function withAnswered<T extends EventFields>(
  fields: T,
  events: readonly KnownEvent[],
  session: string,
  ledger: Pick<Ledger, 'openQuestions' | 'next'>,
): T {
  const own = events.filter(
    (event) =>
      event.session === session && isMadeByItself(event.type) && event.stream === undefined,
  )
  const before = new Set(own.flatMap(({ openQuestions }) => openQuestions.map(itemKey)))
  const now = new Set((fields.openQuestions ?? []).map(itemKey))
  const answered = ledger.openQuestions
    .map(({ value }) => value)
    .filter((text) => before.has(itemKey(text)) && !now.has(itemKey(text)))
  const files = new Set(own.map(({ file }) => file))
  const isOver = fields.next === undefined && ledger.next.some(({ by }) => files.has(by.file))
  return {
    ...fields,
    ...(isOver ? { next: [] } : {}),
    ...(answered.length === 0
      ? {}
      : { resolvedQuestions: [...(fields.resolvedQuestions ?? []), ...answered] }),
  }
}
