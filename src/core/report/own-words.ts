/**
 * What an agent recorded of its session itself, with `event add`: that says better where things stand than
 * what is read out of its log, until the user asked for more or the agent changed a file after it. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import type { LedgerEvent } from '../event/event.ts'
import { isMadeByItself } from '../event/event.ts'

type Recorded = Pick<LedgerEvent, 'session' | 'type' | 'ts' | 'now' | 'next'>

interface Standing {
  readonly now?: string | undefined
  readonly next?: readonly string[] | undefined
}

/** The summary without what own words tell that nothing came after; undefined where nothing is left. */
export function besideOwnWords<T extends Standing>(
  summary: T,
  events: readonly Recorded[],
  session: string,
  entries: readonly TranscriptEntry[],
): T | undefined {
  const since = entries.findLast(movesOn)
  const at = since !== undefined && 'at' in since ? since.at : undefined
  // Of what has no time nobody knows whether it came after them.
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

function movesOn(entry: TranscriptEntry): boolean {
  return entry.kind === 'prompt' || (entry.kind === 'tool' && entry.tool.files.length > 0)
}
