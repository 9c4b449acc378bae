/**
 * The part of a transcript that no event of its session has reported yet.
 *
 * The user's decisions and the test command are registers of the whole repository. Reporting an old one again would
 * overwrite a newer one of another agent. The log of a resumed session may begin with records of the previous
 * session, which has already reported them. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Instant } from '../event/instant.ts'
import { instantFromMillis, instantToMillis, parseInstant } from '../event/instant.ts'
import type { SessionState } from '../session/session-state.ts'

type Told = Pick<SessionState, 'startedAt' | 'toldUntil'>

/** An entry without a time, such as a message, is as old as the last entry with a time before it. */
export function untoldIn(entries: readonly TranscriptEntry[], told: Told): TranscriptEntry[] {
  const since = toldBefore(told)
  const isNew = (at: Instant) => since === undefined || at > since
  const prompt = told.toldUntil === undefined ? promptBefore(entries, isNew) : undefined
  let isUntold = told.toldUntil === undefined
  return entries.filter((entry) => {
    const at = timeOf(entry)
    if (at !== undefined) isUntold = entry === prompt || isNew(at)
    return isUntold
  })
}

/** If the session began with a tool call, the prompt of its first turn, which came some time before that call. */
function promptBefore(entries: readonly TranscriptEntry[], isNew: (at: Instant) => boolean) {
  const first = entries.findIndex((entry) => {
    const at = timeOf(entry)
    return at !== undefined && isNew(at)
  })
  return entries.slice(0, first + 1).findLast(({ kind }) => kind === 'prompt')
}

/** The `toldUntil` value after an event has reported these entries. It never goes back. */
export function toldUntilAfter(entries: readonly TranscriptEntry[], told: Told): string {
  const times = [toldBefore(told), ...entries.map(timeOf)].filter((at) => at !== undefined)
  return times.toSorted().at(-1) ?? told.startedAt
}

/** Milliseconds: the prompt is logged before the hook that starts the session has run. */
const HOOK_DELAY_MS = 10_000

function toldBefore({ startedAt, toldUntil }: Told): Instant | undefined {
  if (toldUntil !== undefined) return parseInstant(toldUntil)?.instant
  const started = parseInstant(startedAt)?.instant
  return started && instantFromMillis(instantToMillis(started) - HOOK_DELAY_MS)
}

function timeOf(entry: TranscriptEntry): Instant | undefined {
  return 'at' in entry ? entry.at : undefined
}
