/**
 * The events of a session: what was done, where things stand, what is left. There is one event at its end and, in a
 * long session, one with a checkpoint from time to time.
 *
 * An event is written once for each end. If it is safe, it is committed together with other ledger paths only;
 * otherwise it is left pending. If nothing happened, nothing is written.
 */

import { ACTIVE_FOLDER, ACTIVE_NAME } from '../../core/active-ledger/places.ts'
import type { AgentSignal, TranscriptEntry } from '../../core/agents/agent-signal.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { resolveBranch } from '../../core/event/identity.ts'
import { isMadeByItself } from '../../core/event/event.ts'
import { formatInstant, instantFromMillis, parseInstant } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import type { Ledger } from '../../core/ledger/join.ts'
import { foldState } from '../../core/ledger/join.ts'
import { isContextHandoff } from '../../core/context/places.ts'
import { supersededNames } from '../../core/session/session-name.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { TurnSummary } from '../../core/report/turn-summary.ts'
import { withAnswered } from '../../core/report/answered.ts'
import { besideOwnWords } from '../../core/report/own-words.ts'
import { toldUntilAfter, untoldIn } from '../../core/report/untold.ts'
import { summarizeTurn, withHandoffs } from '../../core/report/turn-summary.ts'
import { summaryDigest } from '../../core/summarizer/summary-digest.ts'
import { isCheckpointDue } from './checkpoint-due.ts'
import { lastEntries } from './last-entries.ts'
import { liveBeside, nameOf } from './name-session.ts'
import { beginSummary, eventsInProgress, maySummarize } from './summaries.ts'
import { handoffChanges } from './session-handoffs.ts'
import { keptCommits, uncommittedFiles } from './session-work.ts'
import { addEvent, readBack } from '../commit/add-event.ts'
import { instantAfter } from '../commit/next-instant.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { eventsHere, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { ledgerOf } from '../ledger/ledger-tree.ts'
import { stateOfTree } from '../ledger/render-tree.ts'
import { eventsOfSession } from './session-events.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import { subjectOf } from '../checkpoint/read-commit.ts'
import type { LedgerContext } from '../ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, quietly } from '../shadow/session-context.ts'

export interface ReportOptions {
  readonly reason: string | undefined
  /** If an event of the session's end is newer than this, the end is already reported: its writer was killed. */
  readonly since?: string
  /** Leave the event pending: no hook waits for it, and a commit in progress must not find that HEAD has moved. */
  readonly isPending?: boolean
  /** The reporting process is not one of the session's and may be on another branch. */
  readonly isByOthers?: boolean
}

/** Undefined if the event could not be written: the end is not told yet. */
export async function reportSession(
  context: SessionContext,
  state: SessionState,
  options: ReportOptions,
): Promise<SessionState | undefined> {
  if (state.endEvent !== undefined) return state
  const told = await report(context, state, options, 'session_end')
  if (told === undefined) return undefined
  return told === NOTHING ? state : { ...state, endEvent: told.event, toldUntil: told.until }
}

/** Reports a checkpoint before the session ends, so that others see a long session earlier. */
export async function reportCheckpoint(
  context: SessionContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState> {
  const told = (await report(context, state, signal, 'checkpoint')) ?? NOTHING
  return told === NOTHING ? state : { ...state, toldUntil: told.until }
}

/** There is nothing to report. */
const NOTHING = 'nothing'

/** The event's file, and the time up to which it reports; undefined if it could not be written. */
function report(
  context: SessionContext,
  state: SessionState,
  { reason, since, isPending = false, isByOthers = false }: ReportOptions,
  type: 'session_end' | 'checkpoint',
): Promise<{ readonly event: string; readonly until: string } | typeof NOTHING | undefined> {
  return quietly(context, `session ${state.id}: event of type ${type}`, async () => {
    const { repository, env, folder, clock, say, secrets } = context
    const settings = await readSettings(repository)
    const { root } = settings
    if (type === 'checkpoint' && !(await isCheckpointDue(context, state, settings))) return NOTHING
    const placePromise = placeOfWorktree(repository, root, { isRead: true })
    // Git runs while the log is read.
    const [here, events, entries] = await Promise.all([
      placePromise,
      eventsOfSession(repository, placePromise, { root, session: state.id }),
      lastEntries(context, state),
    ])
    const until = toldUntilAfter(entries, state)
    const told = [...events, ...(await eventsInProgress(context))]
    const before = told.find((event) => isEndOf(state, since, event))
    if (before !== undefined) return { event: before.file, until }
    const joined = await stateOfTree(repository.objects, here)
    const ledger = foldState(joined)
    const work = { entries, events, ledger, reason }
    const summary = await summaryOf(context, state, work)
    if (summary === undefined) return NOTHING
    const agent = nameOf(context, state)
    const head = await repository.history.head()
    const place =
      isByOthers || !isHere(context, state)
        ? { branch: resolveBranch(state.branch, {}), commit: state.base }
        : { branch: resolveBranch(head.branch, env), commit: head.oid }
    const successor = {
      ...state,
      name: agent,
      branch: place.branch,
      hasNext: summary.next !== undefined,
    }
    const supersedes = supersededNames(ledger, successor, liveBeside(context, state))
    const content = withAnswered(summary, told, state.id, ledger)
    const fields = { ...content, ...place, type, session: state.id, supersedes }
    const eventContext = { repository, settings, clock, env, folder, say }
    const ts = formatInstant(await instantAfter(eventContext, here, joined.latest))
    if (type === 'session_end' && !isPending && (await maySummarize(context, state.id))) {
      const digest = await withoutSecrets(summaryDigest(fields, entries), secrets)
      return {
        event: await beginSummary(context, state, { ts, agent, fields, digest }),
        until,
      }
    }
    const { path } = await addEvent(eventContext, { fields, ts, agent, afterwards: 'leave' })
    const commit = () => commitEvent(eventContext, `${type} by ${agent}`, path, here.untracked)
    // If it cannot be committed, the event stays pending and the next commit includes it.
    if (!isPending) await quietly(context, 'event left pending', commit)
    return { event: path.slice(path.lastIndexOf('/') + 1), until }
  })
}

/** Commits the event together with everything else that is pending. */
async function commitEvent(
  context: LedgerContext,
  subject: string,
  path: string,
  pending: readonly string[],
): Promise<void> {
  const { commitLedger } = await import('../commit/commit-ledger.ts')
  // Empty if git ignores the event.
  const own = await context.repository.worktree.untracked(path)
  await commitLedger(context, subject, { added: [], removed: [], untracked: [...pending, ...own] })
}

/** True if the event was written after the last sign of life. A resumed session's is later than its previous end. */
function isEndOf({ id }: SessionState, since: string | undefined, event: LedgerEvent): boolean {
  const from = parseInstant(since ?? '')?.instant
  if (event.session !== id || event.type !== 'session_end' || from === undefined) return false
  return from < event.ts
}

/**
 * The event that the session's end would write if it came now; it is not written anywhere. Undefined if there
 * is nothing to report or it was already reported.
 */
export async function unrecordedEvent(
  context: SessionContext,
  state: SessionState,
  root: string,
): Promise<LedgerEvent | undefined> {
  if (state.endEvent !== undefined) return undefined
  const set = await eventsHere(context.repository, root)
  const told = [...set.events, ...(await eventsInProgress(context))]
  if (told.some((event) => isEndOf(state, state.lastSignOfLife, event))) return undefined
  const entries = await lastEntries(context, state)
  const { events } = set
  const work = { entries, events, ledger: ledgerOf(set), reason: undefined }
  const summary = await summaryOf(context, state, work)
  if (summary === undefined) return undefined
  const instant = instantFromMillis(context.clock.now())
  const { branch } = await context.repository.history.head()
  const agent = nameOf(context, state)
  const about = { type: 'session_end', session: state.id, branch, ts: formatInstant(instant) }
  const text = renderEvent({ ...summary, ...about, agent })
  return readBack(eventFileName(instant, agent, text), text)
}

type ReportedSummary = TurnSummary & { readonly reason: string | undefined }

interface Work {
  readonly entries: readonly TranscriptEntry[]
  readonly events: readonly LedgerEvent[]
  readonly ledger: Ledger
  readonly reason: string | undefined
}

/** Secrets are removed before anything is cut, and again from the combined text. */
async function summaryOf(
  context: SessionContext,
  state: SessionState,
  { entries, events, ledger, reason }: Work,
): Promise<ReportedSummary | undefined> {
  const { repository, secrets } = context
  const settings = await readSettings(repository)
  const work = state.filesTouched.filter((file) => !isContextHandoff(file, settings))
  const [commits, uncommitted] = await Promise.all([
    keptCommits(repository.history, state.commits),
    uncommittedFiles(context, state, work),
  ])
  const seen = summarizeTurn({
    entries,
    untold: untoldIn(entries, state),
    todos: state.todos.length > 0 ? state.todos : undefined,
    commits: await Promise.all(
      commits.map(async ({ commit }) => ({
        oid: commit,
        subject: await withoutSecrets(await subjectOf(repository, commit), secrets),
      })),
    ),
    files: await withoutSecrets(work, secrets),
    uncommitted,
    tops: [...context.tops, state.worktree.path],
    lastMessage: state.lastMessage,
    questions: state.questions,
    firstPrompt: state.firstPrompt,
    // A goal that an earlier session's event guessed gives way to a newer guess.
    ledgerHasGoal: ledger.goal !== undefined && !isMadeByItself(ledger.goal.by.type),
  })
  const beside = seen && besideOwnWords(seen, events, state.id, entries)
  const summary = withHandoffs(
    beside,
    await handoffChanges(context, state, { settings, agent: nameOf(context, state) }),
  )
  if (summary === undefined) return undefined
  const told = await withoutSecrets({ ...summary, reason }, secrets)
  if (!context.personal.list(ACTIVE_FOLDER).includes(ACTIVE_NAME)) return told
  const { withActiveNews } = await import('../active-ledger/session-news.ts')
  return withActiveNews(context, state.id, told)
}
