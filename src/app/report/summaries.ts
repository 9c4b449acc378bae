/**
 * A session's final event in better words: those of the program that `ledger.summarizer` names.
 *
 * Nobody waits for it. The end of a session leaves a job and starts a process that asks the program and writes
 * the event in the program's words, or in ours if the program fails. What will be written is recorded first:
 * wherever that process dies, the one that takes over ends up with exactly one event.
 */

import type { LedgerEvent } from '../../core/event/event.ts'
import { instantFromMillis, parseInstant } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import type { EventFields, SummaryJob } from '../../core/summarizer/summary-job.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { addEvent, readBack } from '../commit/add-event.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, quietly } from '../shadow/session-context.ts'

export const SUMMARIZER = 'ledger.summarizer'

/** Milliseconds within which the starter of the process should have recorded it. */
const NOTE_MS = 5000

/** Milliseconds within which a process must be recorded as the worker of a job. */
const START_MS = 10_000

/** False if the event of an earlier end is still in progress: the new event does not wait for it. */
export async function maySummarize(context: SessionContext, session: string): Promise<boolean> {
  const isFree = context.summaries.read(session) === undefined
  return isFree && (await summarizerOf(context)) !== undefined
}

/** The program's command line; undefined if none is named or its setting is refused. */
async function summarizerOf(context: SessionContext): Promise<string | undefined> {
  const { repository, say, log } = context
  const found = await repository.personalConfig(SUMMARIZER)
  if (found?.kind !== 'refused') return found?.value
  log(`${SUMMARIZER} is refused: ${found.origin}`)
  say(
    `ledger-git: ${SUMMARIZER} is not used: it is set in ${found.origin}, which a commit can change\n` +
      `  next: remove it there; git config --global ${SUMMARIZER} COMMAND sets yours`,
  )
  return undefined
}

/** Leaves the job and starts a process for it. Returns the name of the event that we would write ourselves. */
export async function beginSummary(
  context: SessionContext,
  state: SessionState,
  about: Pick<SummaryJob, 'ts' | 'agent' | 'fields' | 'digest'>,
): Promise<string> {
  const { summaries, clock } = context
  const { id: session, worktree } = state
  const job = { ...about, session, worktree, begunAt: clock.now() }
  summaries.write(job)
  const worker = summaries.start(session)
  // The job may already be done.
  if (worker !== undefined && summaries.read(session)?.decided === undefined) {
    summaries.note(session, worker)
  }
  return fileOf(job, job.fields)
}

/** The work of the started process. */
export async function finishSummary(context: SessionContext, session: string): Promise<void> {
  await context.summaries.locked(
    session,
    async () => {
      const job = context.summaries.read(session)
      if (job !== undefined) await write(context, job, job.decided ?? (await ask(context, job)))
    },
    NOTE_MS,
  )
}

/** Finishes abandoned jobs of this worktree and of removed ones, in our own words. */
export async function settleSummaries(context: SessionContext): Promise<void> {
  for (const job of context.summaries.list()) {
    if (!isMine(context, job) || isWorkedOn(context, job)) continue
    const settle = () =>
      context.summaries.locked(job.session, async () => {
        const now = context.summaries.read(job.session)
        if (now !== undefined) await write(context, now, now.decided ?? now.fields)
      })
    await quietly(context, `session ${job.session}: event left for later`, settle)
  }
}

/** Events of this worktree that are still in progress, in our own words, so that a session starting now knows them. */
export function eventsInProgress(context: SessionContext): Promise<LedgerEvent[]> {
  const jobs = context.summaries.list().filter((job) => isHere(context, job))
  return Promise.all(
    jobs.map((job) => {
      const fields = job.decided ?? job.fields
      return readBack(fileOf(job, fields), renderEvent({ ...fields, ts: job.ts, agent: job.agent }))
    }),
  )
}

function fileOf({ ts, agent }: SummaryJob, fields: EventFields): string {
  const instant = parseInstant(ts)?.instant ?? instantFromMillis(0)
  return eventFileName(instant, agent, renderEvent({ ...fields, ts, agent }))
}

function isMine(context: SessionContext, { worktree }: SummaryJob): boolean {
  return isHere(context, { worktree }) || !context.hasWorktree(worktree.name)
}

function isWorkedOn(
  { processes, clock }: SessionContext,
  { worker, begunAt }: SummaryJob,
): boolean {
  if (worker === undefined) return Math.abs(clock.now() - begunAt) < START_MS
  return processes.lifeOf(worker) === 'alive'
}

/** The event in the program's words, or in ours if the program gives none. */
async function ask(context: SessionContext, job: SummaryJob): Promise<EventFields> {
  const { summaries, log, secrets } = context
  const command = await summarizerOf(context)
  if (command === undefined) return job.fields
  const answer = await summaries.ask(command, job.digest)
  if ('failed' in answer) {
    log(`session ${job.session}: ${SUMMARIZER} ${answer.failed}; the event is ours`)
    return job.fields
  }
  const { readAnswer } = await import('../../core/summarizer/summary-answer.ts')
  const { redact } = await secrets()
  const content = readAnswer(answer.text, redact)
  if (content === undefined) {
    log(`session ${job.session}: ${SUMMARIZER} answered no event; the event is ours`)
    return job.fields
  }
  const { type, reason, session, commit, branch, supersedes = [] } = job.fields
  return { type, reason, session, commit, branch, supersedes, ...content }
}

async function write(context: SessionContext, job: SummaryJob, fields: EventFields): Promise<void> {
  const { repository, summaries, sessions, env, folder, clock, say } = context
  summaries.write({ ...job, decided: fields })
  const settings = await readSettings(repository)
  const eventContext = { repository, settings, clock, env, folder, say }
  const { ts, agent, session } = job
  const { path } = await addEvent(eventContext, { fields, ts, agent, afterwards: 'leave' })
  summaries.remove(session)
  const [ours, event] = [fileOf(job, job.fields), path.slice(path.lastIndexOf('/') + 1)]
  await quietly(context, 'event left pending', async () => {
    const { commitLedger } = await import('../commit/commit-ledger.ts')
    await commitLedger({ repository, settings, say }, `${fields.type} by ${agent}`)
  })
  if (event === ours) return
  await quietly(context, `session ${session}: not followed`, () =>
    sessions.change(session, async (state) => ({
      state: state?.endEvent === ours ? { ...state, endEvent: event } : state,
      result: undefined,
    })),
  )
}
