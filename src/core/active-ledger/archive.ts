/** Archived ledgers: their file names, and the front matter that archiving adds. */

import { createHash } from 'node:crypto'
import { readDocument } from '../document/document.ts'
import type { Instant } from '../event/instant.ts'
import { formatInstant, parseInstant } from '../event/instant.ts'
import { readField, setField } from '../document/fields.ts'

export const TRIGGERS = [
  'manual',
  'track-switch',
  'track-complete',
  'pre-compact',
  'session-end',
] as const
/** Why a ledger is archived. `stale` cannot be given on the command line. */
export type Trigger = (typeof TRIGGERS)[number] | 'stale'

const STATUSES: Readonly<Record<Trigger, 'complete' | 'handoff' | 'interrupted'>> = {
  manual: 'handoff',
  'track-switch': 'handoff',
  'track-complete': 'complete',
  'pre-compact': 'handoff',
  'session-end': 'complete',
  stale: 'interrupted',
}

export interface Archiving {
  readonly at: Instant
  readonly trigger: Trigger
}

/** The ledger with the archive's own keys added to its front matter. */
export function archiveText(
  ledger: string,
  session: string | null,
  { at, trigger }: Archiving,
): string {
  const own = { date: formatInstant(at), session_id: session, trigger, status: STATUSES[trigger] }
  return Object.entries(own).reduce((text, [key, value]) => {
    const document = readDocument(text)
    const old = readField(document, [key])
    // If the user has a key with one of our names, its value moves to `ledger_<key>`.
    const isTaken = key !== 'session_id' && typeof old === 'string' && old !== value
    const kept = isTaken ? setField(document, [`ledger_${key}`], old) : text
    return setField(readDocument(kept), [key], value)
  }, ledger)
}

/** True when `archive` is the archive of this ledger, whatever its time. */
export function isArchiveOf(
  archive: string,
  ledger: string,
  session: string | null,
  trigger: Trigger,
): boolean {
  const at = parseInstant(String(readField(readDocument(archive), ['date'])))?.instant
  return at !== undefined && archiveText(ledger, session, { at, trigger }) === archive
}

/**
 * File name of an archive; equal names mean equal bytes. `digits`: length of the hash in it, to be raised when
 * another text already has the name.
 */
export function archiveName(text: string, { at, trigger }: Archiving, digits = 4): string {
  const minute = formatInstant(at).slice(0, 16).replace(/[T:]/g, '-')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, digits)
  return `${minute}-${trigger}-${hash}.md`
}

const NAME = /^(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-[a-z-]+-[0-9a-f]{4,64}\.md$/

/** The archives of the newest minute among these names. */
export function newestArchives(names: readonly string[]): string[] {
  const ours = names.filter((name) => archivedAt(name) !== undefined)
  const [minute = ''] = ours
    .map((name) => name.slice(0, 16))
    .toSorted()
    .toReversed()
  return ours.filter((name) => name.startsWith(minute))
}

/** The newest archives whose ledgers went into an event; several if they share a minute. */
export function lastTold(names: readonly string[]): string[] {
  return newestArchives(names.filter((name) => !/-(?:pre-compact|stale)-/.test(name)))
}

/** When the ledger was archived, from the file name; undefined for a file that is not ours. */
export function archivedAt(name: string): Instant | undefined {
  const [, day, hour, minute] = NAME.exec(name) ?? []
  return day === undefined ? undefined : parseInstant(`${day}T${hour}:${minute}:00Z`)?.instant
}
