/**
 * What an agent recorded about its own session with `event add`. This describes where things stand better than
 * what is read from the log, until the user asks for more or the agent changes another file. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { LedgerEvent } from '../event/event.ts'
import { isMadeByItself } from '../event/event.ts'

type Recorded = Pick<LedgerEvent, 'session' | 'type' | 'ts' | 'now' | 'next'>

interface Fields {
  readonly now?: string | undefined
  readonly next?: readonly string[] | undefined
}

/** The summary without the fields that the agent's own, still current words cover; undefined if nothing remains. */
export function besideOwnWords<T extends Fields>(
  summary: T,
  events: readonly Recorded[],
  session: string,
  entries: readonly TranscriptEntry[],
): T | undefined {
  const since = entries.findLast(supersedes)
  const at = since !== undefined && 'at' in since ? since.at : undefined
  // Without a time, it is unknown whether this came after the agent's own words.
  if (since !== undefined && at === undefined) return summary
  const own = events.filter(
    (event) =>
      event.session === session &&
      !isMadeByItself(event.type) &&
      (at === undefined || event.ts > at),
  )
  const { now, next, ...others } = summary
  const left = {
    ...others,
    ...(now === undefined || own.some((event) => event.now !== undefined) ? {} : { now }),
    ...(next === undefined || own.some((event) => event.next !== undefined) ? {} : { next }),
  }
  return Object.keys(left).length === 0 ? undefined : (left as T)
}

function supersedes(entry: TranscriptEntry): boolean {
  return entry.kind === 'prompt' || (entry.kind === 'tool' && entry.tool.files.length > 0)
}
