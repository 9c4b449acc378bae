/**
 * A line reader for the one shape that `write-event.ts` emits.
 *
 * Most events are our own, and a YAML library costs more to load than all of them to read. This reader
 * takes exactly the canonical shape and declines everything else; `parseEvent` then reads the file. A
 * property test holds the two equal.
 */

import type { Checkpoint, Decision, LedgerEvent } from './event.ts'
import { branchAndStream } from './event.ts'
import { parseInstant } from './instant.ts'
import type { EventSource } from './parse-event.ts'
import { readCoveredLine } from './read-snapshot.ts'
import { withoutGuard } from './rename-guard.ts'
import { SNAPSHOT_TYPE } from './snapshot.ts'
import { isPlain } from './yaml-text.ts'

const HEAD_KEYS = new Set(['ts', 'agent', 'branch', 'type', 'session', 'commit'])
/** Of the head, what needs quotes stands in the body. */
const TEXT_KEYS = new Set([
  'agent',
  'branch',
  'type',
  'session',
  'commit',
  'reason',
  'stream',
  'title',
  'goal',
  'test',
  'now',
])
const LIST_KEYS = new Set([
  'this_session',
  'next',
  'open_questions',
  'resolved_questions',
  'retracts',
])
const FENCE = /^`{3,}ledger$/
/** Most quoted ones, and the patterns for the others take milliseconds to compile. */
const ASCII_DOUBLE = /^"[ !#-[\]-~]*"$/
const ASCII_SINGLE = /^'(?:[ -&(-~]|'')*'$/
const DOUBLE = /^"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9a-f]{4})*"$/u
const SINGLE = /^'(?:[^'\p{Cc}]|'')*'$/u

/** The event, or undefined when the file is not exactly canonical. */
export function readCanonicalEvent({ file, id, text }: EventSource): LedgerEvent | undefined {
  const lines = withoutGuard(text).split('\n')
  const close = lines.indexOf('---', 1)
  if (lines[0] !== '---' || close < 2) return undefined
  const inside = linesInFence(lines, close + 1)
  const head = readHead(lines.slice(1, close))
  const body = inside && readBody(inside)
  if (head === undefined || body === undefined) return undefined
  for (const key of head.keys()) if (body.texts.has(key)) return undefined
  if (body.covers.length > 0 && head.get('type') !== SNAPSHOT_TYPE) return undefined
  const said = (key: string) => nonEmpty(head.get(key) ?? body.texts.get(key))
  const ts = parseInstant(head.get('ts') ?? '')
  const agent = said('agent') ?? said('session')
  if (ts === undefined || agent === undefined || !ts.offset) return undefined
  const list = (key: string) =>
    body.lists
      .get(key)
      ?.map((item) => item.trim())
      .filter((item) => item !== '')
  return {
    file,
    id,
    ts: ts.instant,
    agent,
    ...branchAndStream(said('type'), said('branch'), said('stream')),
    type: said('type'),
    reason: said('reason'),
    session: said('session'),
    commit: said('commit'),
    title: said('title'),
    goal: said('goal'),
    test: said('test'),
    now: said('now'),
    thisSession: list('this_session') ?? [],
    next: list('next'),
    decisions: body.decisions,
    checkpoints: body.checkpoints,
    openQuestions: list('open_questions') ?? [],
    resolvedQuestions: list('resolved_questions') ?? [],
    retracts: (list('retracts') ?? []).map((name) => name.slice(name.lastIndexOf('/') + 1)),
    covers: body.covers,
    done: undefined,
  }
}

/** An empty line, the fence, and the final line break (an empty last element). */
function linesInFence(lines: readonly string[], start: number): readonly string[] | undefined {
  const fence = lines[start + 1] ?? ''
  const isWhole =
    lines[start] === '' &&
    FENCE.test(fence) &&
    lines.length > start + 3 &&
    lines.at(-2) === fence.slice(0, -'ledger'.length) &&
    lines.at(-1) === ''
  return isWhole ? lines.slice(start + 2, -2) : undefined
}

function readHead(lines: readonly string[]): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [key, raw] = splitPair(line)
    const value = key === 'ts' ? instantText(raw) : plain(raw)
    if (key === undefined || value === undefined || !HEAD_KEYS.has(key) || fields.has(key))
      return undefined
    fields.set(key, value)
  }
  return fields
}

interface Body {
  readonly texts: Map<string, string>
  readonly lists: Map<string, string[]>
  readonly decisions: Decision[]
  readonly checkpoints: Checkpoint[]
  readonly covers: LedgerEvent[]
}

function readBody(lines: readonly string[]): Body | undefined {
  const body: Body = {
    texts: new Map(),
    lists: new Map(),
    decisions: [],
    checkpoints: [],
    covers: [],
  }
  const seen = new Set<string>()
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const key = /^([a-z_]+):/.exec(line)?.[1]
    if (key === undefined || seen.has(key)) return undefined
    seen.add(key)
    const next = readField(key, line.slice(key.length + 1), lines, at + 1, body)
    if (next === undefined) return undefined
    at = next
  }
  return body
}

/** Reads one field; returns the index of the line after it. */
function readField(
  key: string,
  rest: string,
  lines: readonly string[],
  at: number,
  body: Body,
): number | undefined {
  if (TEXT_KEYS.has(key)) {
    const value = rest.startsWith(' ') ? scalar(rest.slice(1)) : undefined
    if (value === undefined) return undefined
    body.texts.set(key, value)
    return at
  }
  if (key === 'next' && rest === ' []') {
    body.lists.set(key, [])
    return at
  }
  if (rest !== '') return undefined
  if (LIST_KEYS.has(key)) return readList(key, lines, at, body)
  if (key === 'decisions') return readDecisions(lines, at, body)
  if (key === 'checkpoints') return readCheckpoints(lines, at, body)
  if (key === 'covers') return readCovers(lines, at, body)
  return undefined
}

function readList(
  key: string,
  lines: readonly string[],
  start: number,
  body: Body,
): number | undefined {
  const items: string[] = []
  let at = start
  for (; lines[at]?.startsWith('  - '); at++) {
    const item = scalar(lines[at]?.slice(4))
    if (item === undefined) return undefined
    items.push(item)
  }
  body.lists.set(key, items)
  return at === start ? undefined : at
}

function readDecisions(lines: readonly string[], start: number, body: Body): number | undefined {
  const decisions = new Map<string, Decision>()
  let at = start
  for (; lines[at]?.startsWith('  '); at++) {
    const [written, raw] = splitPair(lines[at]?.slice(2) ?? '')
    // YAML takes no longer key on one line.
    const key = (written?.length ?? 0) <= 1000 ? scalar(written)?.trim() : undefined
    const isNull = raw === 'null'
    const value = isNull ? '' : scalar(raw)
    if (!key || value === undefined || decisions.has(key)) return undefined
    decisions.set(key, { key, value: isNull ? null : value, text: value })
  }
  body.decisions.push(...decisions.values())
  return at === start ? undefined : at
}

function readCheckpoints(lines: readonly string[], start: number, body: Body): number | undefined {
  let at = start
  let open: Map<string, string> | undefined
  const close = () => {
    if (open === undefined) return true
    const [phase, status] = [open.get('phase')?.trim() ?? '', open.get('status')?.trim() ?? '']
    if (phase === '' && status === '') return false
    body.checkpoints.push({
      phase,
      status,
      updated: parseInstant(open.get('updated') ?? '')?.instant,
    })
    return true
  }
  for (; /^ {2}(?:- | {2})/.test(lines[at] ?? ''); at++) {
    const line = lines[at] ?? ''
    if (line.startsWith('  - ')) {
      if (!close()) return undefined
      open = new Map()
    }
    const [key, raw] = splitPair(line.slice(4))
    const value = checkpointValue(key, raw)
    if (open === undefined || key === undefined || value === undefined || open.has(key))
      return undefined
    open.set(key, value)
  }
  return close() && at > start ? at : undefined
}

function readCovers(lines: readonly string[], start: number, body: Body): number | undefined {
  let at = start
  for (; lines[at]?.startsWith('  - '); at++) {
    const covered = readCoveredLine(lines[at] ?? '')
    if (covered === undefined) return undefined
    body.covers.push(covered)
  }
  return at === start ? undefined : at
}

function checkpointValue(key: string | undefined, raw: string | undefined): string | undefined {
  if (key === 'phase') return /^(?:0|[1-9]\d{0,8})$/.test(raw ?? '') ? raw : scalar(raw)
  if (key === 'status') return scalar(raw)
  return key === 'updated' ? instantText(raw) : undefined
}

/** `key: value` at the first `: ` that is not inside a quoted key. */
function splitPair(line: string): [string | undefined, string | undefined] {
  if (line.startsWith('"') || line.startsWith("'")) {
    const key = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=: )/.exec(line)?.[0]
    return key === undefined ? [undefined, undefined] : [key, line.slice(key.length + 2)]
  }
  const at = line.indexOf(': ')
  return at === -1 ? [undefined, undefined] : [line.slice(0, at), line.slice(at + 2)]
}

function scalar(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined
  if (raw.startsWith("'")) {
    const isQuoted = ASCII_SINGLE.test(raw) || SINGLE.test(raw)
    return isQuoted ? raw.slice(1, -1).replaceAll("''", "'") : undefined
  }
  if (!raw.startsWith('"')) return plain(raw)
  if (ASCII_DOUBLE.test(raw)) return raw.slice(1, -1)
  return DOUBLE.test(raw) ? (JSON.parse(raw) as string) : undefined
}

function plain(raw: string | undefined): string | undefined {
  return raw !== undefined && isPlain(raw) ? raw : undefined
}

/** Unquoted and complete: a date-time with an offset is no other YAML type. */
function instantText(raw: string | undefined): string | undefined {
  return /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(raw ?? '')
    ? raw
    : undefined
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || trimmed === '' ? undefined : trimmed
}
