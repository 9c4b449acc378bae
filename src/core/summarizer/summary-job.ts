/**
 * A session's last event while the summarizer (`ledger.summarizer`) works on it: what we would report about the
 * session, what the summarizer reads, and what was decided to be written. The job is a file that outlives all processes
 * involved, so that the event is written exactly once even if one of them dies. Pure.
 */

import type { NewEvent } from '../event/event.ts'
import type { ProcessIdentity, Worktree } from '../session/session-state.ts'
import { isObject, isText, parseObject, renderJson } from '../text/json-values.ts'

const VERSION = 1

export type EventFields = Omit<NewEvent, 'ts' | 'agent'>

export interface SummaryJob {
  readonly session: string
  readonly worktree: Worktree
  /** The time of the event, whichever fields it gets. */
  readonly ts: string
  readonly agent: string
  /** The fields that we would write. */
  readonly fields: EventFields
  /** The text for the summarizer, without secrets. */
  readonly digest: string
  /** When the job began, in Unix time. */
  readonly begunAt: number
  /** The process that waits for the summarizer; undefined until it was started. */
  readonly worker?: ProcessIdentity | undefined
  /** The fields to write, once decided, so that a process that continues after a crash writes the same event. */
  readonly decided?: EventFields | undefined
}

export function renderJob(job: SummaryJob): string {
  return renderJson({ version: VERSION, ...job })
}

/** Undefined for a text that is not a job, or a job of a later release. */
export function parseJob(text: string): SummaryJob | undefined {
  const { version, ...job } = parseObject(text)
  const { session, worktree, ts, agent, fields, digest, begunAt } = job
  const isWhole =
    version === VERSION &&
    [session, ts, agent, digest].every(isText) &&
    typeof begunAt === 'number' &&
    isObject(worktree) &&
    isObject(fields)
  return isWhole ? (job as unknown as SummaryJob) : undefined
}
