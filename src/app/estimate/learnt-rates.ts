/**
 * Rates learnt from this repository's sessions, in `<common-dir>/ledger-git/estimates/`: one file for each
 * estimate that was made in a session, and the number of characters per token. Losing any of it only costs
 * accuracy.
 */

import type { AgentName } from '../../core/agents/agents.ts'
import { agentNamed } from '../../core/agents/agents.ts'
import type { ContextEntry } from '../../core/agents/context-records.ts'
import { readContextRecords, responsesIn } from '../../core/agents/context-records.ts'
import type { EstimateRecord } from '../../core/estimate/estimate-record.ts'
import {
  actualOf,
  comparisonsIn,
  digestOfTask,
  parseRecord,
  recordFile,
  renderRecord,
} from '../../core/estimate/estimate-record.ts'
import type { Calibration } from '../../core/estimate/learn.ts'
import { calibrate, learnRates } from '../../core/estimate/learn.ts'
import { formatMillis } from '../../core/event/instant.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isCount, parseObject, renderJson } from '../../core/text/json-values.ts'
import type { SessionContext } from '../shadow/session-context.ts'

const DAY = 86_400_000
/** Whether compared or not, records older than a season say little about today's models. */
const MAX_AGE = 120 * DAY
const MAX_RECORDS = 500

/**
 * First settles earlier estimates whose session has moved on or ended. Without a calibration, because there is too
 * little to learn from, the usual constant applies.
 */
export function learntRates(context: SessionContext) {
  const records = settle(context, readRecords(context))
  const calibration = learntCalibration(context)
  return { ...learnRates(calibration, comparisonsIn(records)), calibration }
}

/** Remembers an estimate for the session that works on the task. `tokens`: before the ratio. */
export function keepEstimate(
  context: SessionContext,
  session: string,
  text: string,
  tokens: number,
): void {
  const { clock } = context
  const at = formatMillis(clock.now())
  const record = { session, task: digestOfTask(text), tokens, at, actual: undefined }
  const known = parseRecord(context.plans.read(pathOf(context, recordFile(record))))
  // If the task is estimated again, the session is still compared with the first estimate.
  if (known === undefined) writeRecord(context, record)
}

function readRecords(context: SessionContext): EstimateRecord[] {
  const names = context.plans.list(folderOf(context)).filter((name) => name !== RATES)
  const now = context.clock.now()
  const records = names.flatMap((name) => {
    const record = parseRecord(context.plans.read(pathOf(context, name)))
    return record === undefined || recordFile(record) !== name ? [] : [record]
  })
  const oldest = formatMillis(Math.max(0, now - MAX_AGE))
  const kept = records.toSorted((a, b) => (a.at < b.at ? -1 : 1)).slice(-MAX_RECORDS)
  const isKept = (record: EstimateRecord) => record.at >= oldest && kept.includes(record)
  for (const record of records) {
    if (!isKept(record)) context.plans.remove(pathOf(context, recordFile(record)))
  }
  return kept.filter(isKept)
}

/** An active session is compared when it starts its next task. */
function settle(context: SessionContext, records: readonly EstimateRecord[]): EstimateRecord[] {
  return records.map((record) => {
    if (record.actual !== undefined) return record
    const next = records.find(({ session, at }) => session === record.session && at > record.at)
    const state = context.sessions.read(record.session)
    if (state === undefined || (next === undefined && state.phase !== 'ended')) return record
    const responses = responsesIn(recordsOf(context, state, LONG_TAIL_BYTES))
    if (responses.length === 0) return record
    const settled = { ...record, actual: actualOf(record, next?.at, responses) }
    writeRecord(context, settled)
    return settled
  })
}

/** How many bytes at the end of a transcript are read. */
const LONG_TAIL_BYTES = 32 * 1024 * 1024
const SHORT_TAIL_BYTES = 4 * 1024 * 1024
const MAX_SESSIONS = 8

/** The result is kept for a day. */
function learntCalibration(context: SessionContext): Calibration | undefined {
  const path = pathOf(context, RATES)
  const { at, pairs, charactersPerToken } = parseObject(context.plans.read(path))
  const now = context.clock.now()
  const isFresh = isCount(at) && at <= now && now - at < DAY
  if (isFresh && isCount(pairs) && typeof charactersPerToken === 'number') {
    return { charactersPerToken, pairs }
  }
  const newest = newestSessions(context).slice(0, MAX_SESSIONS)
  const found = calibrate(
    newest.map((state) => responsesIn(recordsOf(context, state, SHORT_TAIL_BYTES))),
  )
  // As long as there is nothing to learn from, look again each time: there is little to read.
  if (found === undefined) return undefined
  context.plans.write(path, renderJson({ at: now, ...found }), 0o600)
  return found
}

/** Sessions whose transcript can be read, newest first. */
export function newestSessions({ sessions }: SessionContext): SessionState[] {
  const readable: AgentName = 'claude'
  return sessions
    .list()
    .sessions.filter((one) => agentNamed(one.agent) === readable && one.transcript !== undefined)
    .toSorted((a, b) => (a.lastSignOfLife < b.lastSignOfLife ? 1 : -1))
}

/** What the newest part of a session's transcript says about its context. */
export function recordsOf(
  { transcripts }: SessionContext,
  { transcript, agent }: SessionState,
  maxBytes: number,
): ContextEntry[] {
  if (transcript === undefined || agentNamed(agent) !== 'claude') return []
  return readContextRecords(transcripts.readTail(transcript.path, maxBytes)?.lines ?? [])
}

const RATES = 'rates.json'

function folderOf({ repository }: SessionContext): string {
  return `${repository.place.commonDir}/ledger-git/estimates`
}

function pathOf(context: SessionContext, name: string): string {
  return `${folderOf(context)}/${name}`
}

function writeRecord(context: SessionContext, record: EstimateRecord): void {
  context.plans.write(pathOf(context, recordFile(record)), renderRecord(record), 0o600)
}
