/**
 * What a transcript says about the context: how full it was at each response of the agent, and where it was
 * compacted. Reads only Claude Code's transcripts so far, and only the main chain: a subagent has its own
 * context. Pure.
 */

import type { Fields } from '../text/json-fields.ts'
import {
  fieldsIn,
  listIn,
  objectsIn,
  own,
  parseRecords,
  textIn,
  wordIn,
} from '../text/json-fields.ts'

export interface Response {
  readonly kind: 'response'
  /** ISO 8601, as in the transcript; undefined if the record has no time. */
  readonly at: string | undefined
  /** Input tokens of the response. */
  readonly context: number
  /** Characters added since the previous response: the agent's own and those that it was given. */
  readonly charactersBefore: number
}

export interface Compaction {
  readonly kind: 'compaction'
  readonly at: string | undefined
  readonly trigger: 'auto' | 'manual' | undefined
  /** Tokens; undefined in transcripts of older releases. */
  readonly before: number | undefined
  readonly after: number | undefined
}

export type ContextEntry = Response | Compaction

/** The records in order. Never throws; other lines are skipped. */
export function readContextRecords(lines: readonly string[]): ContextEntry[] {
  const found: ContextEntry[] = []
  const seen = new Set<string>()
  let characters = 0
  let response: string | undefined
  for (const record of parseRecords(lines)) {
    const uuid = textIn(record, 'uuid')
    // A resumed session repeats records of the earlier one.
    if (uuid !== undefined && (seen.has(uuid) || !seen.add(uuid))) continue
    if (own(record, 'isSidechain') === true) continue
    const compaction = compactionIn(record)
    if (compaction !== undefined) {
      found.push(compaction)
      characters = 0
      continue
    }
    const id = textIn(fieldsIn(record, 'message'), 'id')
    const context = contextIn(record)
    if (context !== undefined && (id === undefined || id !== response)) {
      found.push({ kind: 'response', at: timeOf(record), context, charactersBefore: characters })
      characters = 0
      response = id
    }
    characters += charactersIn(record)
  }
  return found
}

export function responsesIn(records: readonly ContextEntry[]): Response[] {
  return records.filter((record) => record.kind === 'response')
}

/** Input tokens of a response; undefined for other records and for responses that the program itself wrote. */
export function contextIn(record: Fields): number | undefined {
  if (own(record, 'type') !== 'assistant' || own(record, 'isApiErrorMessage') === true)
    return undefined
  const usage = fieldsIn(fieldsIn(record, 'message'), 'usage')
  const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
  const tokens = parts.reduce((sum, part) => sum + (countIn(usage, part) ?? 0), 0)
  return tokens > 0 ? tokens : undefined
}

export function compactionIn(record: Fields): Compaction | undefined {
  if (own(record, 'type') !== 'system' || own(record, 'subtype') !== 'compact_boundary') {
    return undefined
  }
  const about = fieldsIn(record, 'compactMetadata')
  const trigger = wordIn(about, 'trigger')
  return {
    kind: 'compaction',
    at: timeOf(record),
    trigger: trigger === 'auto' || trigger === 'manual' ? trigger : undefined,
    before: countIn(about, 'preTokens'),
    after: countIn(about, 'postTokens'),
  }
}

function timeOf(record: Fields): string | undefined {
  return wordIn(record, 'timestamp')
}

function countIn(fields: Fields, key: string): number | undefined {
  const value = own(fields, key)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Characters of a message: texts, calls of tools and their answers. */
function charactersIn(record: Fields): number {
  const type = own(record, 'type')
  if (type !== 'user' && type !== 'assistant') return 0
  const message = fieldsIn(record, 'message')
  const content = own(message, 'content')
  if (typeof content === 'string') return content.length
  return objectsIn(listIn(message, 'content')).reduce((sum, block) => sum + blockSize(block), 0)
}

const SIZES = new Map<unknown, readonly string[]>([
  ['text', ['text']],
  ['thinking', ['thinking']],
  ['tool_use', ['name', 'input']],
  ['tool_result', ['content']],
])

function blockSize(block: Fields): number {
  const parts = SIZES.get(own(block, 'type')) ?? []
  return parts.reduce((sum, part) => sum + sizeOf(own(block, part)), 0)
}

/** Images are not counted: their size in characters says nothing about their tokens. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (!Array.isArray(value)) return value === undefined ? 0 : JSON.stringify(value).length
  return objectsIn(value).reduce((sum, part) => sum + (textIn(part, 'text')?.length ?? 0), 0)
}
