/**
 * Archived events: the file's own bytes, wrapped in one JSON string.
 *
 * There is one file per event, below the event's own UTC date, so that every clone that archives it writes the same
 * bytes to the same place. It is wrapped and has a guard line because git treats a moved or similar file as a rename,
 * which conflicts if the other side purged it (docs/decisions/0013). It is a single string because no formatter
 * changes the layout of that (docs/decisions/0020).
 */

import type { Instant } from './instant.ts'
import { isText, parseJson, parseObject } from '../text/json-values.ts'
import { GUARD_START, renameGuard, withoutGuard } from './rename-guard.ts'

/** Path, below the archive folder, of the event with this file name and time. */
export function archivePath(file: string, ts: Instant): string {
  return `${ts.slice(0, 10)}/${file.replace(/\.md$/, '')}.json`
}

/** The day in an archived file's path (`2026-01-10/…`); undefined for paths of another form. */
export function archiveDay(path: string): string | undefined {
  return /^(\d{4}-\d\d-\d\d)\/[^/]+\.json$/.exec(path)?.[1]
}

export interface ArchivedEvent {
  /** File name in `events/`. */
  readonly file: string
  /** The event file, byte for byte. */
  readonly bytes: Uint8Array
}

/** Three parts in one string: a line of JSON about the file, the file itself, and the guard line. */
export function renderArchived({ file, bytes }: ArchivedEvent): string {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  // Bytes that are not UTF-8 are kept too: an archive must not change its content.
  const isText = Buffer.from(text).equals(buffer)
  const head = JSON.stringify(isText ? { file } : { file, encoding: 'base64' })
  const content = `${head}\n${isText ? text : buffer.toString('base64')}\n`
  const json = JSON.stringify(content)
  const unlike = text.length - withoutGuard(text).length
  return `${json.slice(0, -1)}${renameGuard(json, unlike)}"\n`
}

/** Undefined if the text is not an archived event. */
export function parseArchived(text: string): ArchivedEvent | undefined {
  const content = parseJson(text)
  if (!isText(content)) return undefined
  const start = content.indexOf('\n') + 1
  const end = content.lastIndexOf(`\n${GUARD_START}`)
  const { file, encoding = 'utf8' } = parseObject(content.slice(0, start))
  if (!isText(file) || end < start) return undefined
  if (encoding !== 'utf8' && encoding !== 'base64') return undefined
  return { file, bytes: Buffer.from(content.slice(start, end), encoding) }
}
