/** What the session use cases need from the outside world, as types. `io/` implements them. */

import type { QuietUntil } from '../../core/context/quiet-until.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import type { SummaryJob } from '../../core/summarizer/summary-job.ts'
import type { OwnerLife } from '../../core/session/liveness.ts'
import type { ProcessIdentity, SessionState } from '../../core/session/session-state.ts'

/** A damaged state file: why it is not a state, and where it was put. */
export interface DamagedState {
  readonly file: string
  readonly reason: string
  readonly keptAs: string | undefined
}

export interface ListedSessions {
  readonly sessions: readonly SessionState[]
  readonly damaged: readonly DamagedState[]
}

/** `<common-dir>/ledger-git/sessions/<id>.json`. */
export interface SessionStore {
  /** Every state, by id. Damaged files are set aside and named; nothing is deleted. */
  list(): ListedSessions
  /** The same, for those who only look: nothing is set aside, mended or removed. */
  look(): ListedSessions
  /** Only those that are not finished (`isFinished`): what a commit costs does not grow with the others. */
  listOpen(): readonly SessionState[]
  read(id: string): SessionState | undefined
  /**
   * The one way to change a state: load, change, save, under the session's lock. `change` returns the
   * new state, or undefined to remove it. Never called twice at once for one session, by any process;
   * not to be called inside itself. Throws `LOCKED` after `timeout` milliseconds.
   */
  change<T>(
    id: string,
    change: (
      state: SessionState | undefined,
    ) => Promise<{ readonly state: SessionState | undefined; readonly result: T }>,
    timeout?: number,
  ): Promise<T>
}

/** Why a branch must not be moved behind somebody's back. */
export type BranchHold =
  | { readonly kind: 'symbolic'; readonly target: string }
  | { readonly kind: 'checked-out'; readonly worktree: string }

/** A ref whose file says nothing, as a loss of power may leave it. */
export interface BrokenRef {
  readonly name: string
  readonly file: string
  /** Where it was, as far as git kept a log of it. */
  readonly last: string | undefined
}

/** Refs move by compare-and-swap only. */
export interface RefPort {
  /** Object id, or undefined. `name`: full, `refs/…`. */
  read(name: string): Promise<string | undefined>
  /**
   * `from`: undefined for a ref that must not exist. False when it has moved meanwhile. What a process that
   * died left in the way of a ref of ours is removed.
   */
  move(name: string, to: string, from: string | undefined, reason: string): Promise<boolean>
  /** False when it has moved meanwhile. */
  remove(name: string, from: string): Promise<boolean>
  /** Names and object ids below a prefix such as `refs/ledger/shadow/`. */
  list(prefix: string): Promise<readonly { readonly name: string; readonly oid: string }[]>
  /** Those below a prefix, or of this name, that git cannot read; no list has them. */
  broken(prefix: string): Promise<readonly BrokenRef[]>
  /** Who holds a branch (`refs/heads/…`); it need not exist. */
  holdOf(branch: string): Promise<BranchHold | undefined>
}

/** What a shell of an agent, and the processes above it, tell. */
export interface ProcessPort {
  /** The agent's process above this one, if one can be told: the parent of the hook's shell. */
  owner(): ProcessIdentity | undefined
  lifeOf(owner: ProcessIdentity): OwnerLife
  /** Pids from this process upwards, nearest first. */
  ancestors(): readonly number[]
}

/** Files in a worktree that are one person's, and that several processes may change at once. */
export interface PersonalFiles {
  /**
   * Runs `action` while nobody else holds the lock at `path`, which is from the top of the worktree. Throws
   * `LOCKED`, and `FILE_UNWRITABLE` where the way there is no folder.
   */
  locked<T>(path: string, action: () => Promise<T>): Promise<T>
  /** Names in a folder, from the top of the worktree; empty when there is none. */
  list(folder: string): string[]
}

/** `<common-dir>/ledger-git/context/`: how full the contexts of sessions are. Losing any of it repeats a message. */
export interface ContextPort {
  /** Hooks follow the context here: `install --context` said so. One look at a file. */
  isFollowed(): boolean
  /** Undefined for a damaged one, too. */
  read(session: string): ContextRecord | undefined
  /** Under the session's lock only (`SessionStore.change`). */
  write(record: ContextRecord): void
  /** Up to where in this log nothing can follow from a tool use; undefined: it may from each. */
  keepQuiet(session: string, until: (QuietUntil & { readonly log: string }) | undefined): void
  list(): readonly ContextRecord[]
  /** Whether a push of this commit was stopped already. */
  wasHeld(commit: string): boolean
  noteHeld(commit: string): void
  /** What the agent last gave its status line, and when, in Unix milliseconds. */
  statusInput(session: string): { readonly text: string; readonly at: number } | undefined
  keepStatusInput(session: string, text: string): void
  /**
   * What another status line prints for this input, as its program is given it, in this folder. One that takes too
   * long, or fails, is ended, and what it printed last stands; undefined or empty where there is nothing yet.
   */
  askStatusLine(
    session: string,
    line: { readonly command: string; readonly folder: string },
    input: string,
  ): Promise<string | undefined>
  /** Texts of the settings files in which a person may have said when Claude Code compacts, nearest first. */
  agentSettings(): readonly string[]
}

/** `<common-dir>/ledger-git/summaries/`: last events on their way through the user's summarizer. */
export interface SummaryPort {
  list(): readonly SummaryJob[]
  read(session: string): SummaryJob | undefined
  write(job: SummaryJob): void
  remove(session: string): void
  /** Runs it unless somebody else is at this job, still so after `wait` milliseconds; false then. */
  locked(session: string, action: () => Promise<void>, wait?: number): Promise<boolean>
  /** Who does it, unless it is being done already. */
  note(session: string, worker: ProcessIdentity): void
  /** Starts the process that does it. */
  start(session: string): ProcessIdentity | undefined
  /** Gives the digest to the program, which is ended where it takes too long or says too much. */
  ask(
    command: string,
    digest: string,
  ): Promise<{ readonly text: string } | { readonly failed: string }>
}

/** What a memory tool is given. */
export interface MemoryText {
  readonly title: string
  readonly text: string
  readonly project: string
}

/** A part of an agent's transcript. */
export interface TranscriptSlice {
  /** Complete lines as they are in the file. */
  readonly lines: readonly string[]
  /** Behind the last complete line: where to go on. */
  readonly next: number
  /** What follows the last line break: a line that is being written, or the end of a document. */
  readonly rest: string
  /** False when there is more behind this slice. */
  readonly toEnd: boolean
}

/** Slices of at most `maxBytes`; undefined where there is no transcript to read. */
export interface TranscriptPort {
  readFrom(path: string, offset: number, maxBytes: number): TranscriptSlice | undefined
  readTail(path: string, maxBytes: number): TranscriptSlice | undefined
}
