/**
 * How full an agent's context is according to its own transcript: the tokens of the newest response on the main
 * chain since the last compaction. Cumulative counts are never used. Pure.
 */

import { compactionIn, contextIn } from './context-records.ts'
import type { Fields } from '../text/json-fields.ts'
import { fieldsIn, own, parseFields, textIn } from '../text/json-fields.ts'
import { agentNamed, type AgentName } from './agents.ts'

export interface ContextUsage {
  /** Tokens in the context. Directly after a compaction: what it left, if known, else 0. */
  readonly tokens: number
  readonly model: string | undefined
  /** The window in tokens, if the record has it. */
  readonly window: number | undefined
  /** True if the newest record about the context is a compaction. */
  readonly isCompaction: boolean
}

/** Undefined if the lines do not say. `lines`: the end of a transcript, one record per line. */
export function readContextUsage(
  agent: string,
  lines: readonly string[],
): ContextUsage | undefined {
  const name = agentNamed(agent)
  if (name === undefined) return undefined
  const { marks, read } = READERS[name]
  for (const line of lines.toReversed()) {
    // Most lines are not responses, and some are megabytes long.
    if (!marks.some((mark) => line.includes(mark))) continue
    const record = parseFields(line)
    const usage = record && read(record)
    if (usage !== undefined) return usage
  }
  return undefined
}

interface Reader {
  /** A line without any of these says nothing about the context. */
  readonly marks: readonly string[]
  readonly read: (record: Fields) => ContextUsage | undefined
}

const READERS: Readonly<Record<AgentName, Reader>> = {
  claude: { marks: ['"usage"', '"compact_boundary"'], read: readClaude },
  codex: { marks: ['"token_count"', '"compacted"'], read: readCodex },
  gemini: { marks: ['"tokens"'], read: readGemini },
}

/** Sidechain records are skipped: they belong to a subagent's own context. */
function readClaude(record: Fields): ContextUsage | undefined {
  if (own(record, 'isSidechain') === true) return undefined
  const compaction = compactionIn(record)
  if (compaction !== undefined) return compacted(compaction.after ?? 0)
  return response(contextIn(record) ?? 0, textIn(fieldsIn(record, 'message'), 'model'), undefined)
}

/** Input tokens include cached ones. The context is the usage of the last response, not the total. */
function readCodex(record: Fields): ContextUsage | undefined {
  if (own(record, 'type') === 'compacted') return compacted(0)
  const payload = fieldsIn(record, 'payload')
  if (own(payload, 'type') !== 'token_count') return undefined
  const info = fieldsIn(payload, 'info')
  const last = fieldsIn(info, 'last_token_usage')
  const tokens = count(last, 'total_tokens') || sum(last, ['input_tokens', 'output_tokens'])
  return response(tokens, undefined, count(info, 'model_context_window') || undefined)
}

/** A snapshot line has all messages; the newest one with tokens counts. */
function readGemini(record: Fields): ContextUsage | undefined {
  const snapshot = own(fieldsIn(record, '$set'), 'messages') ?? own(record, 'messages')
  const messages = Array.isArray(snapshot) ? snapshot.toReversed() : [record]
  for (const message of messages as readonly Fields[]) {
    const tokens = fieldsIn(message ?? {}, 'tokens')
    const used = response(
      count(tokens, 'total') || sum(tokens, ['input', 'output']),
      textIn(message ?? {}, 'model'),
      undefined,
    )
    if (used !== undefined) return used
  }
  return undefined
}

function compacted(tokens: number): ContextUsage {
  return { tokens, model: undefined, window: undefined, isCompaction: true }
}

function response(
  tokens: number,
  model: string | undefined,
  window: number | undefined,
): ContextUsage | undefined {
  return tokens === 0 ? undefined : { tokens, model, window, isCompaction: false }
}

function sum(fields: Fields, keys: readonly string[]): number {
  return keys.reduce((all, key) => all + count(fields, key), 0)
}

function count(fields: Fields, key: string): number {
  const value = own(fields, key)
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0
}

/** A model's window in tokens, by the model's name; undefined for unknown names. */
export function windowOfModel(model: string): number | undefined {
  if (/\[1m\]/i.test(model)) return 1_000_000
  return MODEL_WINDOWS.find(([pattern]) => pattern.test(model))?.[1]
}

const MODEL_WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^(?:.*[/.])?claude-sonnet-5/i, 1_000_000],
  [/^(?:.*[/.])?claude-/i, 200_000],
  [/^(?:models\/)?gemini-/i, 1_048_576],
]
