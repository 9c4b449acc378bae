/**
 * A line reader for the exact form that `write-event.ts` emits.
 *
 * Most events are our own, and loading a YAML library takes longer than reading all of them. This reader accepts
 * only the canonical form; `parseEvent` reads all other files. A property test ensures that the two agree.
 */

import type { LedgerEvent } from './event.ts'
import type { EventSource } from './event-reader.ts'
import { EventReader } from './event-reader.ts'
import { takeCovers } from './read-snapshot.ts'
import { withoutGuard } from './rename-guard.ts'
import { SNAPSHOT_TYPE } from './snapshot.ts'
import { isPlain } from './yaml-text.ts'
import type { Entry, Value } from './yaml-value.ts'

/** The event, or undefined if the file is not in canonical form. */
export function readCanonicalEvent({ file, id, text }: EventSource): LedgerEvent | undefined {
  const lines = withoutGuard(text).split('\n')
  const close = lines.indexOf('---', 1)
  const inside = lines[0] === '---' && close > 1 ? linesInFence(lines, close + 1) : undefined
  const head = inside && readFields(lines.slice(1, close))
  if (inside === undefined || head === undefined) return undefined
  const reader = new EventReader(file)
  reader.collect(head, () => 0)
  const isSnapshot = reader.text('type') === SNAPSHOT_TYPE
  const { rest, covers, unreadable } = takeCovers(isSnapshot ? inside.join('\n') : '')
  const body = readFields(isSnapshot ? rest.split('\n').filter((line) => line !== '') : inside)
  if (body === undefined || unreadable.length > 0) return undefined
  reader.collect(body, () => 0)
  const event = reader.event(id, covers)
  return reader.problems.length + reader.warnings.length === 0 ? event : undefined
}

/** The lines inside the fence, if the body is exactly an empty line, the fence and a final line break. */
function linesInFence(lines: readonly string[], start: number): readonly string[] | undefined {
  const fence = lines[start + 1] ?? ''
  const isWhole =
    lines[start] === '' &&
    /^`{3,}ledger$/.test(fence) &&
    lines.length > start + 3 &&
    lines.at(-2) === fence.slice(0, -'ledger'.length) &&
    lines.at(-1) === ''
  return isWhole ? lines.slice(start + 2, -2) : undefined
}

/** Reads one-line fields, lists of scalars, the map of decisions, and the list of checkpoints. */
function readFields(lines: readonly string[]): Entry[] | undefined {
  const entries: Entry[] = []
  for (let at = 0; at < lines.length;) {
    const [, key, rest = ''] = /^([a-z_]+):(?: (.*))?$/s.exec(lines[at] ?? '') ?? []
    if (key === undefined) return undefined
    const start = ++at
    while (lines[at]?.startsWith('  ')) at++
    const below = lines.slice(start, at).map((line) => line.slice(2))
    const value = below.length === 0 ? readScalar(rest) : rest === '' && readBlock(key, below)
    if (!value) return undefined
    entries.push({ key, value, at: 0 })
  }
  return entries
}

function readBlock(key: string, lines: readonly string[]): Value | undefined {
  const [first = ''] = lines
  if (!first.startsWith('- ')) return key === 'decisions' ? readMap(lines) : undefined
  const items: Value[] = []
  for (let at = 0; at < lines.length;) {
    const start = at++
    if (key === 'checkpoints') while (lines[at]?.startsWith('  ')) at++
    const head = lines[start] ?? ''
    const item =
      key === 'checkpoints'
        ? readMap(lines.slice(start, at).map((line) => line.slice(2)))
        : readScalar(head.slice(2))
    if (item === undefined || !head.startsWith('- ')) return undefined
    items.push(item)
  }
  return { kind: 'list', items, at: 0, text: '' }
}

function readMap(lines: readonly string[]): Value | undefined {
  const entries: Entry[] = []
  for (const line of lines) {
    const [written, raw] = splitPair(line)
    const key = written === undefined || written.length > MAX_KEY ? undefined : readText(written)
    const value = raw === undefined ? undefined : readScalar(raw)
    if (key === undefined || value === undefined) return undefined
    entries.push({ key, value, at: 0 })
  }
  return { kind: 'map', entries, at: 0, text: '' }
}

/** YAML allows no longer key on one line. UTF-16 units. */
const MAX_KEY = 1000

/** `key: value` at the first `: ` that is not inside a quoted key. */
function splitPair(line: string): [string | undefined, string | undefined] {
  const head = line.slice(0, 2 * MAX_KEY)
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=: )/.exec(head)?.[0]
  const at = quoted === undefined ? line.indexOf(': ') : quoted.length
  const isPair = at > 0 && (quoted !== undefined || !/^["']/.test(line))
  return isPair ? [line.slice(0, at), line.slice(at + 2)] : [undefined, undefined]
}

/** A complete date-time with an offset may be unquoted: YAML does not read it as another type. */
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const NUMBER = /^(?:0|[1-9]\d{0,8})$/

function readScalar(raw: string): Value | undefined {
  if (raw === 'null') return { kind: 'null', at: 0 }
  if (raw === '[]') return { kind: 'list', items: [], at: 0, text: raw }
  if (NUMBER.test(raw)) return { kind: 'scalar', text: raw, json: Number(raw), at: 0 }
  const text = TIME.test(raw) ? raw : readText(raw)
  return text === undefined ? undefined : { kind: 'scalar', text, json: text, at: 0 }
}

/** These match most quoted texts; the patterns for the others take milliseconds to compile. */
const ASCII_DOUBLE = /^"[ !#-[\]-~]*"$/
const ASCII_SINGLE = /^'[ -&(-~]*'$/
/** Characters not allowed between quotes once escapes are removed. A pattern for a whole text fails on megabytes. */
const BAD_DOUBLE = /["\\\p{Cc}]/u
const BAD_SINGLE = /['\p{Cc}]/u
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-f]{4})/g

function readText(raw: string): string | undefined {
  if (raw.startsWith("'")) {
    if (ASCII_SINGLE.test(raw)) return raw.slice(1, -1)
    const inner = isBetween(raw, "'") ? raw.slice(1, -1) : undefined
    const isQuoted = inner !== undefined && !BAD_SINGLE.test(inner.replaceAll("''", ''))
    return isQuoted ? inner.replaceAll("''", "'") : undefined
  }
  if (!raw.startsWith('"')) return isPlain(raw) ? raw : undefined
  if (ASCII_DOUBLE.test(raw)) return raw.slice(1, -1)
  const isQuoted = isBetween(raw, '"') && !BAD_DOUBLE.test(raw.slice(1, -1).replace(ESCAPES, ''))
  return isQuoted ? (JSON.parse(raw) as string) : undefined
}

function isBetween(raw: string, mark: string): boolean {
  return raw.length > 1 && raw.startsWith(mark) && raw.endsWith(mark)
}
