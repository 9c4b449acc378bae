/**
 * Does a file in `events/` still hold the bytes that its name was made of?
 *
 * Only names of our own making say so: `<ts>_<agent>_<8 hex>.md`, with the time and the agent of the front
 * matter. Other writers put other things there (a session's id), and theirs are never called damaged.
 */

import { createHash } from 'node:crypto'
import { parseJson } from '../text/json-values.ts'
import type { LedgerEvent, NewEvent } from './event.ts'
import { formatInstant, parseInstant } from './instant.ts'
import { eventFileName, renderEvent } from './write-event.ts'

export type Integrity = 'intact' | 'foreign' | 'damaged'

const OWN_NAME =
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z_[A-Za-z0-9._-]{1,64}_(?<hash>[0-9a-f]{8})\.md$/

/** True for a name of the shape that we give: what it says can be compared with the bytes. */
export function hasOwnShape(file: string): boolean {
  return OWN_NAME.test(file)
}

/** `file`: the name in `events/`. Line ends do not count: git may check files out with others. */
export function integrityOf(file: string, bytes: Uint8Array): Integrity {
  const hash = OWN_NAME.exec(file)?.groups?.['hash']
  if (hash === undefined) return 'foreign'
  const text = withUnixLines(bytes)
  if (createHash('sha256').update(text).digest('hex').startsWith(hash)) return 'intact'
  const head = readHead(text.toString('utf8'))
  // What is empty or torn says nothing about who wrote it; the name does.
  if (head === undefined) return 'damaged'
  return isNamedBy(file, hash, head) ? 'damaged' : 'foreign'
}

/** The text holds nothing: what a full disk and `: >file` leave. */
export function isEmptied(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0 || byte === 10 || byte === 13 || byte === 32)
}

function withUnixLines(bytes: Uint8Array): Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.includes(13)) return buffer
  return Buffer.from(buffer.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

interface Head {
  readonly ts: string | undefined
  readonly agent: string | undefined
  readonly session: string | undefined
}

/** Who wrote it and when, as far as plain lines of closed front matter tell. */
function readHead(text: string): Head | undefined {
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

/** True where the name is the one that we would give, but for the hash. */
function isNamedBy(file: string, hash: string, { ts, agent, session }: Head): boolean {
  const instant = parseInstant(ts ?? '')?.instant
  if (instant === undefined || agent === undefined) return false // our writer names both
  if (session?.toLowerCase().startsWith(hash) === true) return false // a custom of others
  return withoutHash(eventFileName(instant, agent.trim(), '')) === withoutHash(file)
}

function withoutHash(file: string): string {
  return file.slice(0, -'00000000.md'.length)
}

/**
 * The text that an event had before a formatter was at it, where nothing but the event itself is left to
 * tell: the hash in its name proves it. `event`: what the text is read as.
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

/** As `event add` was given it; what it would have written otherwise has another hash. */
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
