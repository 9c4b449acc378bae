/**
 * The active ledger as a file of the worktree: anybody may read it. One process at a time may change it, and while the
 * session that owns it is alive, only that session may.
 */

import type { ActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { readActiveLedger } from '../../core/active-ledger/active-ledger.ts'
import { ACTIVE_FILE, ACTIVE_FOLDER } from '../../core/active-ledger/places.ts'
import { newLedger } from '../../core/active-ledger/template.ts'
import { AGENTS, agentNamed } from '../../core/agents/agents.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { resolveBranch } from '../../core/event/identity.ts'
import type { Instant } from '../../core/event/instant.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { CLEAN_UP_TTL } from '../../core/session/liveness.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { decodeUtf8 } from '../../core/text/byte-text.ts'
import { sessionOfProcess } from '../shadow/session-here.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { hasTimedOut, isHere } from '../shadow/session-context.ts'

/** Who reads and writes the file. */
export interface Writer {
  /** The agent's session, `LEDGER_AGENT` or `manual`. */
  readonly session: string
  readonly platform: string
  /** False for a person, and for an agent about which nothing is known. */
  readonly isKnown: boolean
}

export interface ActiveContext {
  readonly session: SessionContext
  readonly settings: Settings
  readonly writer: Writer
}

export interface Active {
  readonly text: string
  readonly ledger: ActiveLedger
}

/** With `auto`, agents' hooks maintain the file in a repository that has `conductor/`; commands always do. */
export function isKeptByHooks({ session, settings }: Omit<ActiveContext, 'writer'>): boolean {
  const { activeLedger } = settings
  return (
    activeLedger === 'on' ||
    (activeLedger === 'auto' && session.personal.list('.').includes('conductor'))
  )
}

/** The session whose process runs this command, otherwise what the environment says. */
export function writerOf(context: SessionContext): Writer {
  const { env } = context
  const found = sessionOfProcess(context)
  if (found !== undefined) return agentWriter(found.id, found.agent)
  const name = env['LEDGER_AGENT']?.trim()
  const agent = Object.entries(AGENTS).find(([, { variable }]) => env[variable])?.[0]
  if (name) return { session: name, platform: agent ?? name, isKnown: true }
  return { session: 'manual', platform: agent ?? 'manual', isKnown: false }
}

export function agentWriter(session: string, agent: string): Writer {
  return { session, platform: agentNamed(agent) ?? agent, isKnown: true }
}

/** The time in whole seconds, because scripts read it. */
export function nowOf({ session }: Pick<ActiveContext, 'session'>): Instant {
  return instantFromMillis(Math.floor(session.clock.now() / 1000) * 1000)
}

export function timeOf(context: Pick<ActiveContext, 'session'>): string {
  return formatInstant(nowOf(context))
}

/** Undefined if there is no active ledger. Throws `ACTIVE_LEDGER_UNREADABLE`. */
export async function readActive({
  session,
}: Pick<ActiveContext, 'session'>): Promise<Active | undefined> {
  const bytes = await session.repository.worktree.read(ACTIVE_FILE)
  if (bytes === undefined) {
    // A link is not followed, but it does not count as "no file" either.
    if (!session.personal.list(ACTIVE_FOLDER).includes('LEDGER.md')) return undefined
    throw unreadable('is not a regular file')
  }
  const text = decodeUtf8(bytes)
  if (text === undefined) throw unreadable('is not valid UTF-8')
  return { text, ledger: readActiveLedger(text) }
}

function unreadable(why: string): LedgerError {
  const what = `${ACTIVE_FILE} ${why}: it is left unchanged`
  return new LedgerError('ACTIVE_LEDGER_UNREADABLE', what, `repair ${ACTIVE_FILE}, or move it away`)
}

/** The session that owns the ledger, if it is alive and not the writer's own. */
export function livingOwner(
  { session, writer }: ActiveContext,
  { session_id: id }: ActiveLedger,
): string | undefined {
  if (id === null || id === writer.session) return undefined
  const state = session.sessions.read(id)
  const isAlive =
    state !== undefined &&
    state.phase !== 'ended' &&
    isHere(session, state) &&
    !hasTimedOut(session, state, CLEAN_UP_TTL)
  return isAlive ? id : undefined
}

/** A person may write although an agent owns the ledger; another agent may not. Throws `ACTIVE_LEDGER_IN_USE`. */
export function refuseOthers(context: ActiveContext, ledger: ActiveLedger): void {
  const owner = context.writer.isKnown ? livingOwner(context, ledger) : undefined
  if (owner === undefined) return
  const what = `${ACTIVE_FILE} belongs to session ${owner} (${ledger.platform ?? 'unknown'}), which is active in this worktree`
  throw new LedgerError(
    'ACTIVE_LEDGER_IN_USE',
    what,
    'ledger-git continuity load shows it; change it once that session has ended',
  )
}

export async function emptyLedger(context: ActiveContext): Promise<Active> {
  const { session, writer } = context
  const { branch } = await session.repository.history.head()
  const text = newLedger({
    updated: timeOf(context),
    session: writer.session,
    platform: writer.platform,
    branch: resolveBranch(branch, session.env),
  })
  return { text, ledger: readActiveLedger(text) }
}

/** Runs `action` while no other process can change the file. Throws `LOCKED`. */
export function lockedActive<T>({ session }: ActiveContext, action: () => Promise<T>): Promise<T> {
  return session.personal.locked(`${ACTIVE_FOLDER}/.LEDGER.lock`, action)
}
