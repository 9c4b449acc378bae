/**
 * Checks whether a file in `events/` still has the bytes from which its name was made.
 *
 * Only our own names can be checked: `<ts>_<agent>_<8 hex>.md`, with the time and the agent of the front matter.
 * Other writers put something else there (a session id), so their files are never called damaged.
 */

import { createHash } from 'node:crypto'
import { parseJson } from '../text/json-values.ts'
import type { LedgerEvent, NewEvent } from './event.ts'
import { formatInstant, parseInstant } from './instant.ts'
import { eventFileName, renderEvent } from './write-event.ts'

export type Integrity = 'intact' | 'foreign' | 'damaged'

const OWN_NAME =
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z_[A-Za-z0-9._-]{1,64}_(?<hash>[0-9a-f]{8})\.md$/

/** True for a name in our own form, which can be compared with the bytes. */
export function hasOwnShape(file: string): boolean {
  return OWN_NAME.test(file)
}

/** `file`: the name in `events/`. Line ends are ignored, because git may convert them on checkout. */
export function integrityOf(file: string, bytes: Uint8Array): Integrity {
  const hash = OWN_NAME.exec(file)?.groups?.['hash']
  if (hash === undefined) return 'foreign'
  const text = withUnixLines(bytes)
  if (createHash('sha256').update(text).digest('hex').startsWith(hash)) return 'intact'
  const head = readHead(text.toString('utf8'))
  // An empty or torn file does not say who wrote it, but the name does.
  if (head === undefined) return 'damaged'
  return isNamedBy(file, hash, head) ? 'damaged' : 'foreign'
}

/** True for a file without content, as a full disk or `: >file` leaves it. */
export function isEmptied(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0 || byte === 10 || byte === 13 || byte === 32)
}

function withUnixLines(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.includes(13)) return buffer
  return Buffer.from(buffer.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

/** Author and time, read from plain lines of complete front matter. */
function readHead(text: string) {
  const front = /^---\n(?<lines>[\s\S]*?)\n---(?:\n|$)/.exec(text)?.groups?.['lines']
  if (front === undefined) return undefined
  const value = (key: string) => {
    const raw = new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(front)?.[1]
    return raw === undefined ? undefined : unquoted(raw.trim())
  }
  return { ts: value('ts'), agent: value('agent'), session: value('session') }
}

function unquoted(raw: string): string {
  if (raw.length > 1 && raw.startsWith("'") && raw.endsWith("'")) {
    return raw.slice(1, -1).replaceAll("''", "'")
  }
  return raw.startsWith('"') ? String(parseJson(raw) ?? raw) : raw
}

/** True if, apart from the hash, the name is the one that we would give. */
function isNamedBy(
  file: string,
  hash: string,
  { ts, agent, session }: NonNullable<ReturnType<typeof readHead>>,
): boolean {
  const instant = parseInstant(ts ?? '')?.instant
  if (instant === undefined || agent === undefined) return false // our writer always writes both
  if (session?.toLowerCase().startsWith(hash) === true) return false // other writers use the session id
  return withoutHash(eventFileName(instant, agent.trim(), '')) === withoutHash(file)
}

function withoutHash(file: string): string {
  return file.slice(0, -'00000000.md'.length)
}

/**
 * The text that an event had before a formatter changed it, reconstructed from the event alone and proven by the hash
 * in its name. Undefined if no candidate matches the hash. `event`: the event as parsed from the text.
 */
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

/** The event as `event add` wrote it. If it was written in another way, the hash does not match. */
function asWritten(event: LedgerEvent): NewEvent {
  return {
    ...event,
    ts: formatInstant(event.ts),
    stream: undefined,
    covers: undefined,
    decisions: event.decisions.map(({ key, value, text }) => ({
      key,
      value: value === null ? null : text,
    })),
    checkpoints: event.checkpoints.map(({ phase, status, updated }) => ({
      phase: phase || undefined,
      status: status || undefined,
      updated: updated && formatInstant(updated),
    })),
  }
}
