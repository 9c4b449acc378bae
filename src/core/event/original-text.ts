/**
 * The text that an event had before a formatter was at it, where nothing but the event itself is left to
 * tell: the hash in its name proves it.
 */

import type { LedgerEvent } from './event.ts'
import { integrityOf } from './event-integrity.ts'
import { formatInstant } from './instant.ts'
import type { NewEvent } from './write-event.ts'
import { renderEvent } from './write-event.ts'

/** `event`: what the text is read as; undefined where it cannot be read. */
export function originalText(
  file: string,
  text: string,
  event: LedgerEvent | undefined,
): string | undefined {
  const unix = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const trimmed = `${unix.replace(/[ \t]+$/gm, '').trimEnd()}\n`
  const candidates = [
    trimmed,
    trimmed.replace(/^---\n+/, '---\n'), // biome does not know front matter
    ...(event === undefined ? [] : [renderEvent(asWritten(event))]),
  ]
  return candidates.find((one) => integrityOf(file, Buffer.from(one)) === 'intact')
}

/** As `event add` was given it; what it would have written otherwise has another hash. */
function asWritten(event: LedgerEvent): NewEvent {
  const { ts, agent, branch, type, reason, session, commit, title, goal, test, now } = event
  return {
    ts: formatInstant(ts),
    agent,
    branch,
    type,
    reason,
    session,
    commit,
    title,
    goal,
    test,
    now,
    thisSession: event.thisSession,
    next: event.next,
    decisions: event.decisions.map(({ key, value, text }) => ({
      key,
      value: value === null ? null : text,
    })),
    checkpoints: event.checkpoints.map(({ phase, status, updated }) => ({
      phase: phase === '' ? undefined : phase,
      status: status === '' ? undefined : status,
      updated: updated === undefined ? undefined : formatInstant(updated),
    })),
    openQuestions: event.openQuestions,
    resolvedQuestions: event.resolvedQuestions,
    retracts: event.retracts,
  }
}
