/**
 * Archived events: the file's own bytes, wrapped in JSON.
 *
 * One file an event, below the event's own UTC date, so that every clone that archives it writes the
 * same bytes to the same place. Wrapped and guarded, because git takes a moved or similar file for a
 * renamed one, and that conflicts where the other side purged it (docs/decisions/0013).
 */

import { guardStart, renameGuard } from './rename-guard.ts'
import type { Instant } from './instant.ts'

/** Path below the archive folder of the event with this file name and time. */
export function archivePath(file: string, ts: Instant): string {
  return `${ts.slice(0, 10)}/${file.replace(/\.md$/, '')}.json`
}

/** The day of an archived file's path (`2026-01-10/…`); undefined for paths of another shape. */
export function archiveDay(path: string): string | undefined {
  return /^(\d{4}-\d\d-\d\d)\/[^/]+\.json$/.exec(path)?.[1]
}

export interface ArchivedEvent {
  /** File name in `events/`. */
  readonly file: string
  /** The event file, byte for byte. */
  readonly bytes: Uint8Array
}

export function renderArchived({ file, bytes }: ArchivedEvent): string {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  // Bytes that are not UTF-8 are kept too: an archive must not change what it keeps.
  const content = Buffer.from(text).equals(buffer)
    ? { text }
    : { base64: buffer.toString('base64') }
  const json = JSON.stringify({ file, ...content })
  const guard = guardStart(text)
  const unlike = guard === -1 ? 0 : text.length - guard
  return `{\n"event": ${json},\n"guard": "${renameGuard(json, unlike)}"\n}\n`
}

/** Undefined when the text is no archived event. */
export function parseArchived(text: string): ArchivedEvent | undefined {
  try {
    const { event } = JSON.parse(text) as { event: Record<string, unknown> }
    const { file, text: utf8, base64 } = event
    if (typeof file !== 'string') return undefined
    if (typeof utf8 === 'string') return { file, bytes: Buffer.from(utf8) }
    return typeof base64 === 'string' ? { file, bytes: Buffer.from(base64, 'base64') } : undefined
  } catch {
    return undefined
  }
}
