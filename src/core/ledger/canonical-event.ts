/**
 * A line reader for the one shape that `write-event.ts` emits.
 *
 * Most events are our own, and a YAML library costs more to load than all of them to read. This reader
 * takes exactly the canonical shape and declines everything else; `parseEvent` then reads the file. A
 * property test holds the two equal.
 */

import type { Checkpoint, Decision, LedgerEvent } from './event.ts'
import { parseInstant } from './instant.ts'
import type { EventSource } from './parse-event.ts'
import { guardStart } from './rename-guard.ts'
import { readCoveredLine } from './read-snapshot.ts'
import { SNAPSHOT_TYPE } from './snapshot.ts'

const HEAD_KEYS = new Set(['ts', 'agent', 'branch', 'type', 'reason', 'session', 'commit'])
const TEXT_KEYS = new Set(['title', 'goal', 'test', 'now'])
const LIST_KEYS = new Set([
  'this_session',
  'next',
  'open_questions',
  'resolved_questions',
  'retracts',
])
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** What `write-event.ts` leaves unquoted; no ending colon or space, no `: ` and no ` #` inside. */
const PLAIN = /^\p{L}[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u
/** The same in ASCII: most lines, and the patterns above take milliseconds to compile. */
const ASCII_PLAIN = /^[A-Za-z][ -~]*$/
const ASCII_QUOTED = /^"[ !#-[\]-~]*"$/
const NOT_PLAIN = /: |:$| #|\s$/
const QUOTED = /^"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9a-f]{4})*"$/u

/** The event, or undefined when the file is not exactly canonical. */
export function readCanonicalEvent({ file, id, text }: EventSource): LedgerEvent | undefined {
  const guard = guardStart(text)
  const lines = (guard === -1 ? text : text.slice(0, guard)).split('\n')
  const close = lines.indexOf('---', 1)
  if (lines[0] !== '---' || close < 3) return undefined
  const head = readHead(lines.slice(1, close))
  const body = readBody(lines.slice(close + 1))
  const ts = head === undefined ? undefined : parseInstant(head.get('ts') ?? '')
  const agent = head?.get('agent')?.trim()
  if (head === undefined || body === undefined || ts === undefined || !agent || !ts.offset) {
    return undefined
  }
  if (body.covers.length > 0 && head.get('type') !== SNAPSHOT_TYPE) return undefined
  const own = (key: string) => nonEmpty(head.get(key))
  const said = (key: string) => nonEmpty(body.texts.get(key))
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
    branch: own('branch'),
    type: own('type'),
    reason: own('reason'),
    session: own('session'),
    commit: own('commit'),
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

function readHead(lines: readonly string[]): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [key, raw] = splitPair(line)
    const value = key === 'ts' ? instantText(raw) : (commitText(key, raw) ?? scalar(raw))
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
  // An empty line, the fields, and the final line break (an empty last element).
  if (lines.length === 1 && lines[0] === '') return body
  if (lines.length < 3 || lines[0] !== '' || lines.at(-1) !== '') return undefined
  const seen = new Set<string>()
  for (let at = 1; at < lines.length - 1;) {
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
  for (; lines[at]?.startsWith('- '); at++) {
    const item = scalar(lines[at]?.slice(2))
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
  for (; /^(?:- | {2})/.test(lines[at] ?? ''); at++) {
    const line = lines[at] ?? ''
    if (line.startsWith('- ')) {
      if (!close()) return undefined
      open = new Map()
    }
    const [key, raw] = splitPair(line.slice(2))
    const value = checkpointValue(key, raw)
    if (open === undefined || key === undefined || value === undefined || open.has(key))
      return undefined
    open.set(key, value)
  }
  return close() && at > start ? at : undefined
}

function readCovers(lines: readonly string[], start: number, body: Body): number | undefined {
  let at = start
  for (; lines[at]?.startsWith('- '); at++) {
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
  if (line.startsWith('"')) {
    const key = /^"(?:[^"\\]|\\.)*"(?=: )/.exec(line)?.[0]
    return key === undefined ? [undefined, undefined] : [key, line.slice(key.length + 2)]
  }
  const at = line.indexOf(': ')
  return at === -1 ? [undefined, undefined] : [line.slice(0, at), line.slice(at + 2)]
}

function scalar(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined
  if (!raw.startsWith('"')) return plain(raw)
  if (ASCII_QUOTED.test(raw)) return raw.slice(1, -1)
  return QUOTED.test(raw) ? (JSON.parse(raw) as string) : undefined
}

function plain(raw: string): string | undefined {
  const isPlain = ASCII_PLAIN.test(raw) || PLAIN.test(raw)
  return isPlain && !NOT_PLAIN.test(raw) && !RESERVED.test(raw) ? raw : undefined
}

/** Unquoted and complete: a date-time with an offset is no other YAML type. */
function instantText(raw: string | undefined): string | undefined {
  return /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(raw ?? '')
    ? raw
    : undefined
}

/** A commit id without quotes, as other tools write it: with a letter other than `e`, no number. */
function commitText(key: string | undefined, raw: string | undefined): string | undefined {
  return key === 'commit' && /^(?=.*[a-df])[0-9a-f]{40,64}$/.test(raw ?? '') ? raw : undefined
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === undefined || trimmed === '' ? undefined : trimmed
}
