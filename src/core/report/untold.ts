/**
 * What of a transcript no event of its session has told yet.
 *
 * The user's decisions and the test command are registers of the whole repository: told again, an old one
 * would take the place of another agent's newer one. A resumed session's log may begin with records of
 * the one before, which told them itself. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { Instant } from '../event/instant.ts'
import { instantFromMillis, instantToMillis, parseInstant } from '../event/instant.ts'
import type { SessionState } from '../session/session-state.ts'

type Told = Pick<SessionState, 'startedAt' | 'toldUntil'>

/** Of what has no time nobody knows whether it is new: the first event tells it, no other one. */
export function untoldIn(entries: readonly TranscriptEntry[], told: Told): TranscriptEntry[] {
  const since = toldBefore(told)
  const isNew = (at: Instant) => since === undefined || at > since
  const prompt = told.toldUntil === undefined ? promptBefore(entries, isNew) : undefined
  return entries.filter((entry) => {
    const at = timeOf(entry)
    return at === undefined ? told.toldUntil === undefined : entry === prompt || isNew(at)
  })
}

/** Of a session that began with the use of a tool: what its first turn was asked, some time before that. */
function promptBefore(entries: readonly TranscriptEntry[], isNew: (at: Instant) => boolean) {
  const first = entries.findIndex((entry) => {
    const at = timeOf(entry)
    return at !== undefined && isNew(at)
  })
  return entries.slice(0, first + 1).findLast(({ kind }) => kind === 'prompt')
}

/** `toldUntil` once an event has told these entries. Never goes back. */
export function toldUntilAfter(entries: readonly TranscriptEntry[], told: Told): string {
  const times = [toldBefore(told), ...entries.map(timeOf)].filter((at) => at !== undefined)
  return times.toSorted().at(-1) ?? told.startedAt
}

/** A prompt stands in the log before the hook that it begins the session with has run. */
const HOOK_RUNS = 10_000

function toldBefore({ startedAt, toldUntil }: Told): Instant | undefined {
  if (toldUntil !== undefined) return parseInstant(toldUntil)?.instant
  const started = parseInstant(startedAt)?.instant
  return started && instantFromMillis(instantToMillis(started) - HOOK_RUNS)
}

function timeOf(entry: TranscriptEntry): Instant | undefined {
  return 'at' in entry ? entry.at : undefined
}
