/**
 * Reads the events that a snapshot covers (`snapshot.ts` writes them).
 *
 * Each event is one line of JSON, which is not read with the YAML library. A line that is not exactly in our form
 * does not count and is reported.
 */

import type { Checkpoint, Decision, DecisionValue, LedgerEvent } from './event.ts'
import { parseInstant } from './instant.ts'
import { isObject, parseJson } from '../text/json-values.ts'
import { COVERED_LISTS, COVERED_TEXTS, FORGOTTEN, valueText } from './snapshot.ts'

/** Reads one line below `covers:`; undefined if it is not in our form. */
function readCoveredLine(line: string): LedgerEvent | undefined {
  const start = line.indexOf('{')
  const isInForm = /^(?: {2})?- $/.test(line.slice(0, Math.max(0, start)))
  return isInForm ? readCovered(parseJson(line.slice(start))) : undefined
}

/** Takes the block `covers:` out of a snapshot's body. `unreadable`: 0-based indexes of lines in the body. */
export function takeCovers(body: string): {
  readonly rest: string
  readonly covers: readonly LedgerEvent[]
  readonly unreadable: readonly number[]
} {
  const lines = body.split('\n')
  const start = lines.indexOf('covers:') + 1
  if (start === 0) return { rest: body, covers: [], unreadable: [] }
  const covers: LedgerEvent[] = []
  const unreadable: number[] = []
  let end = start
  for (; /^(?: {2})?- /.test(lines[end] ?? ''); end++) {
    const covered = readCoveredLine(lines[end] ?? '')
    if (covered === undefined) unreadable.push(end)
    else covers.push(covered)
  }
  // Empty lines replace the block, so that line numbers after it stay correct.
  const rest = lines.map((line, i) => (i >= start - 1 && i < end ? '' : line)).join('\n')
  return { rest, covers, unreadable }
}

type Texts = Pick<LedgerEvent, (typeof COVERED_TEXTS)[number]>
type Lists = Pick<LedgerEvent, (typeof COVERED_LISTS)[number][1]>

function readCovered(json: unknown): LedgerEvent | undefined {
  if (!isObject(json)) return undefined
  const { file, id, agent, ts } = json
  const instant = typeof ts === 'string' ? parseInstant(ts)?.instant : undefined
  if (!isText(file) || !isText(id) || !isText(agent) || instant === undefined) return undefined
  const texts = Object.fromEntries(COVERED_TEXTS.map((key) => [key, json[key]]))
  const isTextOrNone = (text: unknown) => text === undefined || typeof text === 'string'
  if (!Object.values(texts).every(isTextOrNone)) return undefined
  const lists = Object.fromEntries(
    COVERED_LISTS.map(([key, field]) => [field, readTexts(json[key])]),
  )
  const next = readTexts(json['next'])
  const decisions = readAll(json['decisions'], readDecision)
  const checkpoints = readAll(json['checkpoints'], readCheckpoint)
  if (!Object.values(lists).every(Boolean) || !next || !decisions || !checkpoints) return undefined
  return {
    ...FORGOTTEN,
    ...(texts as unknown as Texts),
    ...(lists as unknown as Lists),
    file,
    id,
    ts: instant,
    agent,
    decisions,
    checkpoints,
    next: json['next'] === undefined ? undefined : next,
  }
}

function readDecision(json: unknown): Decision | undefined {
  if (!Array.isArray(json)) return undefined
  const [key, value, text = valueText(value as DecisionValue)] = json as unknown[]
  const isValue = value === null || ['string', 'number', 'boolean'].includes(typeof value)
  if (!isText(key) || !isValue || typeof text !== 'string') return undefined
  return { key, value: value as DecisionValue, text }
}

function readCheckpoint(json: unknown): Checkpoint | undefined {
  if (!Array.isArray(json)) return undefined
  const [phase, status, updated] = json as unknown[]
  if (typeof phase !== 'string' || typeof status !== 'string') return undefined
  const instant = typeof updated === 'string' ? parseInstant(updated)?.instant : undefined
  return { phase, status, updated: instant }
}

function readTexts(json: unknown): string[] | undefined {
  return readAll(json, (item) => (typeof item === 'string' ? item : undefined))
}

/** An absent list is empty; a list with an unreadable item is undefined. */
function readAll<T>(json: unknown = [], read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(json)) return undefined
  const items = json.map(read)
  return items.every((item) => item !== undefined) ? items : undefined
}

function isText(json: unknown): json is string {
  return typeof json === 'string' && json !== ''
}
