/**
 * A session's last event on its way through the summarizer (`ledger.summarizer`): what we would say of the
 * session, what the summarizer gets to read, and what was decided to write. A file that outlives every
 * process that has to do with it, so that the event is written once, whoever dies. Pure.
 */

import type { NewEvent } from '../event/event.ts'
import type { ProcessIdentity, Worktree } from '../session/session-state.ts'
import { isObject, isText, parseObject, renderJson } from '../text/json-values.ts'

const VERSION = 1

export type EventFields = Omit<NewEvent, 'ts' | 'agent'>

export interface SummaryJob {
  readonly session: string
  readonly worktree: Worktree
  /** Of the event, whichever it will be. */
  readonly ts: string
  readonly agent: string
  /** What we would write. */
  readonly fields: EventFields
  /** For the summarizer, without secrets. */
  readonly digest: string
  /** When it was begun, in Unix time. */
  readonly begunAt: number
  /** The process that waits for the summarizer; unknown until it was started. */
  readonly worker?: ProcessIdentity | undefined
  /** What is written, once that is decided: whoever goes on after a crash writes the same. */
  readonly decided?: EventFields | undefined
}

export function renderJob(job: SummaryJob): string {
  return renderJson({ version: VERSION, ...job })
}

/** Undefined for a text that is no job, or a later release's. */
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
