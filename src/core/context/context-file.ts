/**
 * The text of a context's record. A damaged one is none: what it said is seen again, or told once more. Pure.
 */

import { isSessionId } from '../session/session-state.ts'
import { isCount, isObject, isText, parseObject, renderJson } from '../text/json-values.ts'
import { LEVELS } from './level.ts'
import type { ContextRecord } from './record.ts'

const VERSION = 1

export function renderContextRecord(record: ContextRecord): string {
  return renderJson({ version: VERSION, ...record })
}

/** Undefined for what is none, of another version, or lacks a field. Unknown fields go. */
export function parseContextRecord(text: string | undefined): ContextRecord | undefined {
  const { version, ...fields } = parseObject(text)
  if (version !== VERSION) return undefined
  const known = Object.entries(FIELDS).map(([key, accepts]) => {
    const value = fields[key]
    return { key, value, isGood: accepts(value) }
  })
  if (known.some(({ isGood }) => !isGood)) return undefined
  // Each field has been looked at.
  return Object.fromEntries(known.map(({ key, value }) => [key, value])) as unknown as ContextRecord
}

type Check = (value: unknown) => boolean

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    isText(value) && words.includes(value)
const listOf =
  (accepts: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(accepts)
const maybe =
  (accepts: Check): Check =>
  (value) =>
    value === undefined || accepts(value)
const withFields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([key, accepts]) => accepts(value[key]))

const isLevel = oneOf(...LEVELS)
const isFlag: Check = (value) => typeof value === 'boolean'
const isPositive: Check = (value) => isCount(value) && value > 0

const FIELDS: Readonly<Record<keyof ContextRecord, Check>> = {
  session: (value) => isText(value) && isSessionId(value),
  agent: isText,
  startedAt: isText,
  model: maybe(isText),
  window: maybe(isPositive),
  limit: maybe(isPositive),
  samples: listOf(
    withFields({
      at: isCount,
      tokens: isCount,
      source: oneOf('transcript', 'status_line', 'compaction'),
    }),
  ),
  told: isLevel,
  isHeldUp: isFlag,
  saved: listOf(oneOf('L2', 'L3', 'compaction')),
  isHinted: isFlag,
  foreseen: listOf(isText),
  deferred: maybe(oneOf('once', 'until L2')),
  deferrals: listOf(isText),
  shown: listOf(isText),
  savedAt: maybe(isCount),
  breakpoint: oneOf('good', 'bad', 'none'),
  checkpoints: listOf(
    withFields({
      timestamp: isText,
      handoffFile: isText,
      reason: isText,
      isTyped: maybe(isFlag),
      level: oneOf(...LEVELS, 'unknown'),
      percent: maybe(isCount),
    }),
  ),
}
