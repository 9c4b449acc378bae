/**
 * The text of a context record. A damaged record is ignored: its content is observed again, or reported again. Pure.
 */

import { isSessionId } from '../session/session-state.ts'
import type { Guards } from '../text/json-values.ts'
import {
  isCount,
  isFlag,
  isText,
  listOf,
  maybe,
  oneOf,
  parseObject,
  renderJson,
  withFields,
} from '../text/json-values.ts'
import { LEVELS } from './level.ts'
import type { ContextRecord } from './record.ts'

const VERSION = 1

export function renderContextRecord(record: ContextRecord): string {
  return renderJson({ version: VERSION, ...record })
}

/** Undefined for a text that is not a record, has another version, or lacks a field. Unknown fields are dropped. */
export function parseContextRecord(text: string | undefined): ContextRecord | undefined {
  const { version, ...fields } = parseObject(text)
  if (version !== VERSION) return undefined
  const known = Object.keys(FIELDS).map((key) => [key, fields[key]])
  const record: unknown = Object.fromEntries(known)
  return withFields(FIELDS)(record) ? record : undefined
}

const isLevel = oneOf(...LEVELS)
const isPositive = (value: unknown): value is number => isCount(value) && value > 0

const FIELDS: Guards<ContextRecord> = {
  session: (value): value is string => isText(value) && isSessionId(value),
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
  task: maybe(oneOf('small', 'large')),
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
