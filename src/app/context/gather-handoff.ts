/**
 * Gathers all that the next session has to know: from the agent's words, its events, to-dos and log, and from git.
 * Secrets are removed from every text.
 */

import type { TranscriptEntry } from '../../core/agents/agent-signal.ts'
import type { ContextHandoff } from '../../core/context/handoff-document.ts'
import type { NotInIt } from '../../core/context/wip.ts'
import { ALWAYS, findingsIn, IS_SPEC, reloadFrom } from '../../core/context/findings.ts'
import { standing as standingOf } from '../../core/context/record.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { isContextHandoff } from '../../core/context/places.ts'
import type { LedgerEvent, NewEvent } from '../../core/event/event.ts'
import { formatInstant, formatMillis, instantFromMillis } from '../../core/event/instant.ts'
import { eventFileName, renderEvent } from '../../core/event/write-event.ts'
import type { Ledger } from '../../core/ledger/join.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { redactTexts } from '../../core/secrets/redact-texts.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { isLedgerPath, pathInWorktree } from '../../core/shadow/shadow-paths.ts'
import { subjectOf } from '../checkpoint/read-commit.ts'
import { readBack } from '../commit/add-event.ts'
import { eventsHere } from '../ledger/ledger-sources.ts'
import { nameOf } from '../report/name-session.ts'
import { lastEntries } from '../report/last-entries.ts'
import { unrecordedEvent } from '../report/report-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export type Words = Omit<NewEvent, 'ts' | 'agent'>

export interface Asked {
  readonly reason: string
  readonly issue?: string | undefined
  /** What the caller says about the work, as the event does; it takes precedence over what is known otherwise. */
  readonly words?: Words | undefined
  readonly record?: ContextRecord | undefined
  readonly settings: Settings
}

type Unwritten = Omit<ContextHandoff, 'wip' | 'leftOut'> & { readonly leftOut: readonly NotInIt[] }

export async function gatherHandoff(
  context: SessionContext,
  state: SessionState | undefined,
  asked: Asked,
): Promise<Unwritten> {
  const { repository, changes, clock } = context
  const { redact } = await context.secrets()
  const { branch, oid } = await repository.history.head()
  const ledger = await ledgerOfSession(context, state, branch, asked)
  const { root } = asked.settings
  const isWork = (path: string) =>
    !isLedgerPath(path, root) && !isContextHandoff(path, asked.settings)
  const status = (await changes.status()).filter(({ path }) => isWork(path))
  const files = filesAtWork(state, status)
  const lines = await changes.linesAtWork(files)
  const entries = state === undefined ? [] : await lastEntries(context, state)
  const now = asked.record && standingOf(asked.record)
  const current = state?.todos.find((todo) => todo.status === 'in_progress')
  const done = state?.todos.filter((todo) => todo.status === 'completed').length ?? 0
  return redactTexts(
    {
      date: context.localDate(clock.now()),
      time: context.localTime(clock.now()),
      created: formatMillis(clock.now()),
      session: state?.id ?? 'manual',
      agent: state?.agent ?? 'manual',
      branch: branch ?? `(detached at ${oid?.slice(0, 8) ?? 'nothing'})`,
      issue: asked.issue,
      level: now?.level ?? 'unknown',
      percent: now?.percent,
      tokensLeft: now?.limit === undefined ? undefined : Math.max(now.limit - now.tokens, 0),
      reason: asked.reason,
      task: ledger.goal?.value ?? state?.firstPrompt,
      now: ledger.now?.value,
      current: current && {
        item: current.text,
        progress: `${done} of ${state?.todos.length} to-dos done`,
      },
      done: ledger.thisSession.map(({ value }) => value),
      next: ledger.next.map(({ value }) => value),
      decisions: ledger.decisions.map(({ value: { key, text: value } }) => ({ key, value })),
      questions: ledger.openQuestions.map(({ value }) => value),
      findings: findingsIn(entries),
      reload: reloadFrom(await instructions(context, entries), files),
      files: files.map((path) => ({ path, lines: lines.get(path) })),
      status,
      commits: await commitsOf(context, state),
      leftOut: [],
    },
    redact,
  )
}

/** Only what this session said; if there is no session, what was said on this branch. */
async function ledgerOfSession(
  context: SessionContext,
  state: SessionState | undefined,
  branch: string | undefined,
  { words, settings }: Asked,
): Promise<Ledger> {
  const set = await eventsHere(context.repository, settings.root)
  const own = set.events.filter((event) =>
    state === undefined ? event.branch === branch : event.session === state.id,
  )
  const untold = state && (await unrecordedEvent(context, state, settings.root))
  const said = words && (await asEvent(context, state, words))
  return foldLedger([...own, untold, said].filter((event) => event !== undefined))
}

/** The words as the newest event in the session's own lane, so that they replace what was read from its log. */
async function asEvent(
  context: SessionContext,
  state: SessionState | undefined,
  words: Words,
): Promise<LedgerEvent> {
  const instant = instantFromMillis(context.clock.now() + 1)
  const agent = state === undefined ? 'manual' : nameOf(context, state)
  const { branch } = await context.repository.history.head()
  const text = renderEvent({ branch, ...words, agent, ts: formatInstant(instant) })
  return readBack(eventFileName(instant, agent, text), text)
}

function filesAtWork(
  state: SessionState | undefined,
  status: readonly { readonly path: string }[],
): string[] {
  const changed = status.map(({ path }) => path)
  if (state === undefined || state.hasMoreFiles) return changed
  const touched = new Set(state.filesTouched)
  const own = changed.filter((path) => touched.has(path))
  return own.length > 0 ? own : changed
}

/** Instructions at the top of the worktree, and specs that the session read. */
async function instructions(context: SessionContext, entries: readonly TranscriptEntry[]) {
  const { repository, folder, tops } = context
  const read = entries.flatMap((entry) => (entry.kind === 'tool' ? (entry.tool.reads ?? []) : []))
  const specs = read.flatMap((file) => pathInWorktree(file, tops, folder) ?? [])
  const paths = new Set([
    'CLAUDE.md',
    'AGENTS.md',
    'GEMINI.md',
    ...specs.filter((path) => IS_SPEC.test(path) || ALWAYS.test(path)),
  ])
  const found = await Promise.all(
    [...paths].map(async (path) => {
      const bytes = await repository.worktree.read(path)
      const text = bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
      return text === undefined ? [] : [{ path, text, wasRead: specs.includes(path) }]
    }),
  )
  return found.flat()
}

async function commitsOf({ repository }: SessionContext, state: SessionState | undefined) {
  const oids = state?.commits.map(({ commit }) => commit) ?? []
  return Promise.all(oids.map(async (oid) => ({ oid, subject: await subjectOf(repository, oid) })))
}
