/**
 * Everything that following a session needs from outside, in one type, and what it says by itself.
 *
 * It is in the lowest of the rooms about sessions, because all of them use it: `shadow` ← `checkpoint` ←
 * `report` ← `session`.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { OwnerLife } from '../../core/session/liveness.ts'
import { isTimedOut } from '../../core/session/liveness.ts'
import type { SessionState, Worktree } from '../../core/session/session-state.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
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
 * Words of `ledger-git hook`. `--reap`: to end the sessions that nobody else will. `--push REMOTE [1]`: to
 * push checkpoints that came too late for a push; 1: the user asked for them.
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
  readonly rescue: RescuePort
  readonly changes: ChangesPort
  readonly remote: CheckpointRemote
  /** Gives a text to the memory tool on this machine; undefined where it took it, else why not. */
  saveMemory(memory: MemoryText): Promise<string | undefined>
  /** The messages of commits that git prepares. */
  readonly messages: Pick<FilesPort, 'read' | 'write' | 'remove'>
  /** Plans, what is learnt from tasks, and what was staged of work in progress. */
  readonly plans: FilesPort
  readonly secrets: LoadSecretScanner
  /** What telling an issue tracker needs, loaded on first use. */
  tracker(): Promise<TrackerContext>
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the program is called where the agent types; `ledger-git` where nothing is said. */
  readonly program?: string
  /** The folder that the hook runs in. */
  readonly folder: string
  /** `HH:MM` of a Unix time in milliseconds, as the clock on the wall has it. */
  localTime(millis: number): string
  /** `2026-01-31`, as the calendar on the wall has it. */
  localDate(millis: number): string
  /** Random bytes for ids. */
  random(bytes: number): Uint8Array
  /** Runs one of these in a process that nobody waits for. */
  startErrand(errand: Errand, ...words: readonly string[]): void
  /** One line for the log of sessions: ids and counts, never texts of people. */
  log(line: string): void
  /** For people, on standard error. */
  say(message: string): void
}

/** Runs it; what keeps it from being done is for the log, and stops nobody. */
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
  return formatInstant(instantFromMillis(clock.now()))
}

export function worktreeOf({ repository, folder }: SessionContext): Worktree {
  const { top, gitDir, commonDir } = repository.place
  const name = gitDir === commonDir ? '' : gitDir.slice(gitDir.lastIndexOf('/') + 1)
  return { path: top ?? folder, name }
}

/** Whether the session works in the worktree of this context. */
export function isHere(context: SessionContext, state: Pick<SessionState, 'worktree'>): boolean {
  return worktreeOf(context).name === state.worktree.name
}

/** HEAD of the session's own worktree, as far as it is known here: that of another one is not its base. */
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
