/**
 * The event of a session's end: what was done, where things stand, what is left.
 *
 * Written once for each end, committed with ledger paths only where that is safe, else left pending.
 * Nothing is written when nothing happened.
 */

import { LedgerError } from '../../core/errors.ts'
import { resolveAgent } from '../../core/identity.ts'
import type { AgentSignal } from '../../core/session/agent-signal.ts'
import { withEndEvent } from '../../core/session/change-session.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { TurnSummary } from '../../core/session/turn-summary.ts'
import { summarizeTurn } from '../../core/session/turn-summary.ts'
import { addEvent } from '../add-event.ts'
import { readSettings } from '../read-settings.ts'
import type { SecretScanner } from '../secret-scanner.ts'
import { previewWorktree } from '../synthesize.ts'
import { subjectOf } from './commit-message.ts'
import type { WorkContext } from './work-context.ts'

/** Bytes of the transcript's end that are looked through. */
const TAIL = 2 * 1024 * 1024

export async function reportSession(
  context: WorkContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<SessionState> {
  if (state.endEvent !== undefined) return state
  try {
    const file = await report(context, state, signal)
    return file === undefined ? state : withEndEvent(state, file)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    context.log(`session ${state.id}: event of its end: ${error.code}`)
    return state
  }
}

async function report(
  context: WorkContext,
  state: SessionState,
  signal: AgentSignal,
): Promise<string | undefined> {
  const { repository, env, folder, clock, say } = context
  const settings = await readSettings(repository)
  const summary = await summaryOf(context, state, settings.root)
  if (summary === undefined) return undefined
  const agent = resolveAgent({ flag: undefined, env, folder, userName: signal.agent })
  const fields = { ...summary, type: 'session_end', reason: signal.reason, session: state.id }
  const adding = { repository, settings, clock, env, folder, say }
  const { path } = await addEvent(adding, { fields, ts: undefined, agent, afterwards: 'leave' })
  await commitQuietly(context, settings, `ledger: session_end by ${agent}`)
  return path.slice(path.lastIndexOf('/') + 1)
}

async function summaryOf(
  context: WorkContext,
  state: SessionState,
  root: string,
): Promise<TurnSummary | undefined> {
  const { repository, agents } = context
  const { transcript } = state
  const tail =
    transcript && agents.readTail(state.agent as AgentSignal['agent'], transcript.path, TAIL)
  const { ledger } = await previewWorktree(repository, root, { write: false })
  const goal = ledger.goal?.by.type
  const summary = summarizeTurn({
    entries: tail?.entries ?? [],
    todos: state.todos.length > 0 ? state.todos : undefined,
    commits: await Promise.all(
      state.commits.map(async ({ commit }) => ({
        oid: commit,
        subject: await subjectOf(repository, commit),
      })),
    ),
    files: state.filesTouched,
    lastMessage: state.lastMessage,
    questions: state.questions,
    firstPrompt: state.firstPrompt,
    // A goal that an earlier session's end guessed gives way to a newer guess.
    ledgerHasGoal: ledger.goal !== undefined && goal !== 'session_end',
  })
  return summary && redactSummary(summary, await context.secrets())
}

function redactSummary(summary: TurnSummary, scanner: SecretScanner): TurnSummary {
  const clean = (value: unknown): unknown =>
    typeof value === 'string'
      ? scanner.redact(value)
      : Array.isArray(value)
        ? value.map(clean)
        : value
  return Object.fromEntries(Object.entries(summary).map(([key, value]) => [key, clean(value)]))
}

async function commitQuietly(
  { repository, log, say }: WorkContext,
  settings: Awaited<ReturnType<typeof readSettings>>,
  subject: string,
): Promise<void> {
  const { commitLedger } = await import('../commit-ledger.ts')
  try {
    await commitLedger(repository, settings, subject, say)
  } catch (error) {
    // The event stays pending, and goes along with the next commit.
    if (!(error instanceof LedgerError)) throw error
    log(`event left pending: ${error.code}`)
  }
}
