/**
 * An estimate made in a session, stored until it can be compared with what the session really took. Only sizes and
 * digests are stored, never the text of a task. Pure.
 */

import { createHash } from 'node:crypto'
import { isCount, isText, parseObject, renderJson } from '../text/json-values.ts'
import type { Response } from '../agents/context-records.ts'
import type { Comparison } from './learn.ts'
import { growthOf } from './learn.ts'

export interface EstimateRecord {
  readonly session: string
  /** Digest of the task's text. */
  readonly task: string
  /** The estimate in tokens, before the ratio is applied. */
  readonly tokens: number
  /** ISO 8601. */
  readonly at: string
  /** Tokens that the session took from then on; undefined until known. */
  readonly actual: number | undefined
}

export function digestOfTask(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** One file per estimate, so that two processes never write the same file with different content. */
export function recordFile({ session, task }: EstimateRecord): string {
  return `${digestOfTask(session)}-${task}.json`
}

export function renderRecord(record: EstimateRecord): string {
  return renderJson({ version: 1, ...record })
}

/** Undefined for a text that is not a record, or that has another version. */
export function parseRecord(text: string | undefined): EstimateRecord | undefined {
  const { version, session, task, tokens, at, actual } = parseObject(text)
  const isWhole = version === 1 && isText(session) && isText(at) && isCount(tokens)
  if (!isWhole || !isText(task) || !/^[0-9a-f]{16}$/.test(task)) return undefined
  return { session, task, tokens, at, actual: isCount(actual) ? actual : undefined }
}

/**
 * Tokens that a session took from an estimate until `until`, its next estimate, or until its end. Times are compared
 * as texts, because the transcript and the record use the same format.
 */
export function actualOf(
  { at }: EstimateRecord,
  until: string | undefined,
  responses: readonly Response[],
): number {
  const isBefore = (time: string | undefined, limit: string) => time !== undefined && time < limit
  const first = responses.findLastIndex((one) => isBefore(one.at, at))
  const inside = responses
    .slice(Math.max(0, first))
    .filter((one) => until === undefined || isBefore(one.at, until))
  return growthOf(inside)
}

/** The comparisons in the order in which the estimates were made. */
export function comparisonsIn(records: readonly EstimateRecord[]): Comparison[] {
  return records
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .flatMap(({ tokens, actual }) => (actual === undefined ? [] : [{ estimate: tokens, actual }]))
}
