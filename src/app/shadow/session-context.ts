/**
 * Everything that following a session needs from outside, in one type, and helpers that depend only on it.
 *
 * It is in the lowest of the folders about sessions, because all of them use it: `shadow` ← `checkpoint` ←
 * `report` ← `session`.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { OwnerLife } from '../../core/session/liveness.ts'
import { isTimedOut } from '../../core/session/liveness.ts'
import type { SessionState, Worktree } from '../../core/session/session-state.ts'
import { formatMillis, instantFromMillis } from '../../core/event/instant.ts'
import type { Clock, FilesPort, ObjectWriter, RepositoryPort } from '../ports.ts'
import type { LoadSecretScanner } from '../secrets/find-secrets.ts'
import type { TrackerContext } from '../tracker/tracker-ports.ts'
import type { ChangesPort, CheckpointRemote, RescuePort, WorktreeFilesPort } from './git-ports.ts'
import type {
  ContextPort,
  MemoryText,
  TranscriptPort,
  PersonalFiles,
  ProcessPort,
  RefPort,
  SessionStore,
  SummaryPort,
} from './session-ports.ts'

/**
 * Arguments of `ledger-git hook`. `--reap` ends the sessions that nobody else will end. `--push REMOTE [1]` pushes
 * checkpoints that came too late for a push; `1` means that the user asked for them.
 */
export const ERRANDS = ['--reap', '--push'] as const

export type Errand = (typeof ERRANDS)[number]

export interface SessionContext {
  readonly repository: RepositoryPort
  readonly sessions: SessionStore
  readonly refs: RefPort
  readonly objects: ObjectWriter
  readonly processes: ProcessPort
  readonly transcripts: TranscriptPort
  readonly personal: PersonalFiles
  readonly summaries: SummaryPort
  readonly contexts: ContextPort
  readonly files: WorktreeFilesPort
  /** Loaded on demand: only what is recovered needs it. */
  readonly rescue: () => Promise<RescuePort>
  /** False if the worktree of this name was removed. A worktree whose folder is only unreachable still counts. */
  hasWorktree(name: string): boolean
  readonly changes: ChangesPort
  /** Loaded on demand: only a push needs it. */
  readonly remote: () => Promise<CheckpointRemote>
  /** Hands a text to the memory tool on this machine; undefined if the tool accepted it, otherwise the reason. */
  saveMemory(memory: MemoryText): Promise<string | undefined>
  /** The commit messages that git prepares. */
  readonly messages: Pick<FilesPort, 'read' | 'write' | 'remove'>
  /** Plans, rates learnt from tasks, and what was staged of work in progress. */
  readonly plans: FilesPort
  readonly secrets: LoadSecretScanner
  /** What reporting to an issue tracker needs, loaded on first use. */
  tracker(): Promise<TrackerContext>
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  /** The program's name in the agent's shell; defaults to `ledger-git`. */
  readonly program?: string
  /** The folder that the hook runs in. */
  readonly folder: string
  /** The top of the worktree: as git names it, and as the agent does, if that differs. Empty without a worktree. */
  readonly tops: readonly string[]
  /** The hook of a prompt runs: the agent's log may already have that prompt. */
  readonly startsTurn?: boolean
  /** A Unix time in milliseconds as local `HH:MM`. */
  localTime(millis: number): string
  /** A Unix time in milliseconds as a local date such as `2026-01-31`. */
  localDate(millis: number): string
  /** Random bytes for ids. */
  random(bytes: number): Uint8Array
  /** Runs an errand in a background process. */
  startErrand(errand: Errand, ...words: readonly string[]): void
  /** Writes a line to the session log: ids and counts, never people's texts. */
  log(line: string): void
  /** Writes a message for people to standard error. */
  say(message: string): void
}

/** Runs an action; a failure is logged and stops nothing. */
export async function quietly<T>(
  { log }: SessionContext,
  what: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    log(`${what}: ${error.code}`)
    return undefined
  }
}

export function nowText({ clock }: Pick<SessionContext, 'clock'>): string {
  return formatMillis(clock.now())
}

export function worktreeOf({ repository, folder }: SessionContext): Worktree {
  const { top, gitDir, commonDir } = repository.place
  const name = gitDir === commonDir ? '' : gitDir.slice(gitDir.lastIndexOf('/') + 1)
  return { path: top ?? folder, name }
}

/** True if the session works in the worktree of this context. */
export function isHere(context: SessionContext, state: Pick<SessionState, 'worktree'>): boolean {
  return worktreeOf(context).name === state.worktree.name
}

/** HEAD of the session's own worktree; if that is not the current worktree, its last known base. */
export async function headOf(
  context: SessionContext,
  state: SessionState,
): Promise<string | undefined> {
  return isHere(context, state) ? (await context.repository.history.head()).oid : state.base
}

export function hasTimedOut(
  { clock, processes }: SessionContext,
  state: SessionState,
  ttl: number,
): boolean {
  return isTimedOut(state, instantFromMillis(clock.now()), ttl, ownerLife(processes, state))
}

export function ownerLife(processes: ProcessPort, { owner }: SessionState): OwnerLife {
  return owner === undefined ? 'unknown' : processes.lifeOf(owner)
}
