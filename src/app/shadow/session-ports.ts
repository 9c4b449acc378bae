/** What the session use cases need from the outside world, as types. `io/` implements them. */

import type { QuietUntil } from '../../core/context/quiet-until.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import type { SummaryJob } from '../../core/summarizer/summary-job.ts'
import type { OwnerLife } from '../../core/session/liveness.ts'
import type { ProcessIdentity, SessionState } from '../../core/session/session-state.ts'

/** A damaged state file: what is wrong with it, and where it was put. */
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
  /** All states. Damaged files are set aside and named; nothing is deleted. */
  list(): ListedSessions
  /** Like `list`, but read-only: nothing is set aside, repaired or removed. */
  look(): ListedSessions
  /** Only sessions that are not finished (`isFinished`), so that the cost of a commit does not grow with the others. */
  listOpen(): readonly SessionState[]
  read(id: string): SessionState | undefined
  /**
   * The only way to change a state: load, change, save, under the session's lock. `change` returns the
   * new state, or undefined to remove it. It never runs twice at once for one session, in any process, and must not
   * be nested. Throws `LOCKED` after `timeout` milliseconds.
   */
  change<T>(
    id: string,
    change: (
      state: SessionState | undefined,
    ) => Promise<{ readonly state: SessionState | undefined; readonly result: T }>,
    timeout?: number,
  ): Promise<T>
}

/** Why a branch must not be moved without its user knowing. */
export type BranchHold =
  | { readonly kind: 'symbolic'; readonly target: string }
  | {
      readonly kind: 'checked-out'
      readonly worktree: string
      /** The branch has no commit yet. */
      readonly isUnborn: boolean
      /** The worktree's folder does not exist any more. */
      readonly isGone: boolean
    }

/** A ref whose file is empty or unreadable, as a power failure may leave it. */
export interface BrokenRef {
  readonly name: string
  readonly file: string
  /** Its last value, if git kept a reflog of it. */
  readonly last: string | undefined
}

/** Refs move by compare-and-swap only. */
export interface RefPort {
  /** Object id, or undefined. `name` is the full name, `refs/…`. */
  read(name: string): Promise<string | undefined>
  /**
   * `from`: undefined for a ref that must not exist yet. Returns false if the ref has moved in the meantime. A
   * stale lock, or anything else that a dead process left in the way of one of our refs, is removed.
   */
  move(name: string, to: string, from: string | undefined, reason: string): Promise<boolean>
  /** Returns false if the ref has moved in the meantime. */
  remove(name: string, from: string): Promise<boolean>
  /** Names and object ids below a prefix such as `refs/ledger/shadow/`. */
  list(prefix: string): Promise<readonly { readonly name: string; readonly oid: string }[]>
  /** Refs below a prefix, or with this name, that git cannot read; `list` does not include them. */
  broken(prefix: string): Promise<readonly BrokenRef[]>
  /** What prevents moving a branch (`refs/heads/…`), which need not exist. */
  holdOf(branch: string): Promise<BranchHold | undefined>
}

/** What the agent's shell and its ancestor processes reveal. */
export interface ProcessPort {
  /** The agent's process, an ancestor of this one, if it can be determined: the parent of the hook's shell. */
  owner(): ProcessIdentity | undefined
  lifeOf(owner: ProcessIdentity): OwnerLife
  /** Pids of this process and its ancestors, nearest first. */
  ancestors(): readonly number[]
}

/** A person's private files in a worktree, which several processes may change at once. */
export interface PersonalFiles {
  /**
   * Runs `action` while holding the lock at `path`, which is relative to the top of the worktree. Throws `LOCKED`, or
   * `FILE_UNWRITABLE` if a parent of `path` is not a folder.
   */
  locked<T>(path: string, action: () => Promise<T>): Promise<T>
  /** Names in a folder (path relative to the top of the worktree); empty if there is no such folder. */
  list(folder: string): string[]
}

/**
 * `<common-dir>/ledger-git/context/`: how full the contexts of sessions are. If any of it is lost, the worst
 * effect is a repeated message.
 */
export interface ContextPort {
  /** True if hooks follow the context here (`install --context`). Costs one file lookup. */
  isFollowed(): boolean
  /** Undefined also for a damaged record. */
  read(session: string): ContextRecord | undefined
  /** Call only under the session's lock (`SessionStore.change`). */
  write(record: ContextRecord): void
  /** Remembers up to where in this log no tool use can have an effect; undefined if any tool use may. */
  keepQuiet(session: string, until: (QuietUntil & { readonly log: string }) | undefined): void
  list(): readonly ContextRecord[]
  /** True if a push of this commit was already stopped once. */
  wasHeld(commit: string): boolean
  noteHeld(commit: string): void
  /** The agent's last input to its status line, and its time in Unix milliseconds. */
  statusInput(session: string): { readonly text: string; readonly at: number } | undefined
  keepStatusInput(session: string, text: string): void
  /**
   * What another status line program prints for this input, run in this folder. If it fails or takes too long, it is
   * ended and its last output is used; undefined or empty if there is none yet.
   */
  askStatusLine(
    session: string,
    line: { readonly command: string; readonly folder: string },
    input: string,
  ): Promise<string | undefined>
  /** Texts of the settings files that may say when Claude Code compacts, nearest first. */
  agentSettings(): readonly string[]
}

/** `<common-dir>/ledger-git/summaries/`: final events of sessions that wait for the user's summarizer. */
export interface SummaryPort {
  list(): readonly SummaryJob[]
  read(session: string): SummaryJob | undefined
  write(job: SummaryJob): void
  remove(session: string): void
  /** Runs the action under the job's lock; returns false if the lock is still held after `wait` milliseconds. */
  locked(session: string, action: () => Promise<void>, wait?: number): Promise<boolean>
  /** Records which process does the job, unless one is already doing it. */
  note(session: string, worker: ProcessIdentity): void
  /** Starts the process that does the job. */
  start(session: string): ProcessIdentity | undefined
  /** Hands the digest to the program, which is ended if it takes too long or prints too much. */
  ask(
    command: string,
    digest: string,
  ): Promise<{ readonly text: string } | { readonly failed: string }>
}

/** The input of a memory tool. */
export interface MemoryText {
  readonly title: string
  readonly text: string
  readonly project: string
}

/** A part of an agent's transcript. */
export interface TranscriptSlice {
  /** Complete lines as they are in the file. */
  readonly lines: readonly string[]
  /** Offset after the last complete line, where the next read continues. */
  readonly next: number
  /** Text after the last line break: a line that is still being written, or the end of a document. */
  readonly rest: string
  /** False if the file has more after this slice. */
  readonly toEnd: boolean
}

export interface TranscriptText extends TranscriptSlice {
  /** The file has more text before this slice. */
  readonly isCut: boolean
}

/** Reads slices of at most `maxBytes`; undefined if there is no readable transcript. */
export interface TranscriptPort {
  readFrom(path: string, offset: number, maxBytes: number): TranscriptSlice | undefined
  readTail(path: string, maxBytes: number): TranscriptSlice | undefined
  /** Without lines that have `unused` among their first fields, and without data such as images. */
  readTailText(path: string, maxBytes: number, unused?: string): TranscriptText | undefined
}
