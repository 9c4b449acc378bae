/**
 * The state of one session: the record in `<common-dir>/ledger-git/sessions/<id>.json`.
 *
 * Every field says when it is set and when it is cleared. `session-file.ts` reads and writes the text, and
 * `change-session.ts` contains every change. Within version 1, newer releases may add top-level fields, which are kept.
 * Instants are ISO 8601 texts from the caller's clock.
 */

import type { CheckpointId } from './checkpoint-id.ts'
import type { Phase } from './phase.ts'
import type { Todo } from './todos.ts'

export const STATE_VERSION = 1

export interface SessionState {
  /** The agent's own id of the session, which is also the file name. Never changes. */
  readonly id: string
  /** The agent program, such as `claude-code`. Never changes. */
  readonly agent: string
  /** The name in its events (`session-name.ts`). Set in the first turn, and in the first turn after an end. */
  readonly name: string | undefined
  /** Set only by `applyTransition`. */
  readonly phase: Phase
  /** Where the session works. Set at creation and in every turn, because agents move between worktrees. */
  readonly worktree: Worktree
  /** The branch of its last turn; undefined if there was none. Set at the start and the end of a turn. */
  readonly branch: string | undefined
  /** The commit that the shadow data is based on; undefined before the first commit. Moves with HEAD. */
  readonly base: string | undefined
  /** When the session was created. Never changes. */
  readonly startedAt: string
  /** When the session last ended; cleared when it continues (`clear-ended`). */
  readonly endedAt: string | undefined
  /** When a hook of the session, or a tool of a subagent, last ran. */
  readonly lastSignOfLife: string
  /** The agent's process. Set when the session or a turn starts, cleared when the session ends. */
  readonly owner: ProcessIdentity | undefined
  /** Number of turns, including the current one. */
  readonly turn: number
  /**
   * The id in the trailers of the next commits. Set before a message can contain it, and unchanged until a checkpoint
   * with that id is written, which clears it.
   */
  readonly pendingCheckpoint: CheckpointId | undefined
  /** Commits whose checkpoint is not written yet; removed once it is. The newest 500. */
  readonly awaiting: readonly LinkedCommit[]
  /** Where a push went while commits were waiting: their checkpoint follows. Cleared once it is written. */
  readonly pushTo: PushedTo | undefined
  /** All commits of the session, for its last event. The newest 500; never cleared. */
  readonly commits: readonly LinkedCommit[]
  /** Files changed but not in a checkpoint. Condensation keeps those that are carried forward. At most 5,000. */
  readonly filesTouched: readonly string[]
  /** True if `filesTouched` is incomplete; the shadow data is complete. Cleared together with it. */
  readonly hasMoreFiles: boolean
  /**
   * Paths that differed from HEAD when the turn began: not the session's work unless a tool says so. Replaced at the
   * start of every turn, after the previous turn was caught up. The first 5,000.
   */
  readonly dirtyBefore: readonly string[]
  /** A hook reported a tool in this turn that writes, or may write. Cleared when a turn begins. */
  readonly mayHaveWritten: boolean
  /** The agent's log. The offset moves once the part before it is condensed. */
  readonly transcript: Transcript | undefined
  /** Subagents since the last condensation, which clears them. The newest 100. */
  readonly tasks: readonly SessionTask[]
  /** The session's first prompt, at most 1,000 characters. Set once. */
  readonly firstPrompt: string | undefined
  /** Prompts since the last condensation, which clears them. The newest 50, 4,000 characters each. */
  readonly prompts: readonly string[]
  /** Shadow commits since the last condensation, which resets the number to zero. */
  readonly steps: number
  /** The last checkpoint written, because an amended commit keeps its trailer. Never cleared. */
  readonly lastCheckpoint: CheckpointId | undefined
  /** Nothing is left to condense, so commits skip the session once it has ended. Cleared by any new work. */
  readonly isCondensed: boolean
  /**
   * The session ended long ago with work that is in no commit, and everything it said is condensed. Commits ignore it,
   * and its shadow data keeps the work. Cleared when the session continues.
   */
  readonly isLeftBehind: boolean
  /** The agent's latest to-do list. 200 items of 500 characters each; ids of up to 100 characters. */
  readonly todos: readonly Todo[]
  /** The agent's last words in the last turn, at most 8,000 characters. */
  readonly lastMessage: string | undefined
  /** Questions waiting for an answer, as last seen; replaced as a whole. 50, 1,000 characters each. */
  readonly questions: readonly string[]
  /**
   * The handoffs at the start of the session, or when it continued after a reported end, and which of them it changed.
   * The first 500.
   */
  readonly handoffs: readonly SessionHandoff[]
  /** The event written at the session's end, so that a second end writes none. Cleared when a turn starts. */
  readonly endEvent: string | undefined
  /** Decisions and tests in the log up to this instant are reported. Set with every event, never cleared. */
  readonly toldUntil: string | undefined
  /** When the session last changed a file. Set by tools that name a file, and by steps that find a change. */
  readonly workedAt: string | undefined
  /** When the agent was last asked to record its work. */
  readonly askedAt: string | undefined
  /** Fields of newer releases. */
  readonly unknown: Readonly<Record<string, unknown>>
}

export interface Worktree {
  /** Absolute path. */
  readonly path: string
  /** Its name among the linked worktrees; empty for the main one. */
  readonly name: string
}

/** A process. Process ids are reused, so the start time is part of its identity. */
export interface ProcessIdentity {
  readonly pid: number
  /** As printed by the system; only compared, never parsed. */
  readonly startTime: string
}

export interface LinkedCommit {
  readonly commit: string
  readonly checkpoint: CheckpointId
}

export interface PushedTo {
  /** The remote's name in git's configuration, because an address may contain a password. */
  readonly remote: string
  /** The user asked for checkpoints on that remote. */
  readonly isAsked: boolean
}

export interface Transcript {
  readonly path: string
  /** Number of bytes already in checkpoints. */
  readonly offset: number
}

export interface SessionHandoff {
  /** Path relative to the top of the worktree. */
  readonly path: string
  /** Undefined if the file did not exist. */
  readonly blob: string | undefined
  readonly isChanged: boolean
}

export interface SessionTask {
  readonly toolUseId: string
  readonly transcriptPath: string | undefined
}

/** Maximum length of an id in UTF-16 units, which leaves room for `.json` and a temporary suffix in the file name. */
const MAX_ID = 128

/**
 * True for a text that can be a file name and part of a ref: letters, digits, `.`, `_`, and `-`, without `..`, not
 * starting with a dot or dash, and not ending with a dot or `.lock`. It therefore contains no separator, control
 * character, or white space, and cannot be mistaken for an option or a hidden file.
 */
export function isSessionId(id: string): boolean {
  if (id.length > MAX_ID || id.includes('..') || /\.(?:lock)?$/.test(id)) return false
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(id)
}

export function isOpenTurn({ phase }: Pick<SessionState, 'phase'>): boolean {
  return phase === 'active' || phase === 'active_committed'
}

/**
 * True while an id is promised but no commit with it is known. Such a commit may exist if its hook was killed, or may
 * be in progress.
 */
export function mayOwe({ pendingCheckpoint, awaiting }: SessionState): boolean {
  if (pendingCheckpoint === undefined) return false
  return !awaiting.some(({ checkpoint }) => checkpoint === pendingCheckpoint)
}

/** True while commits wait, or may wait, for a checkpoint of the session, which must then be kept. */
export function owes(state: SessionState): boolean {
  return state.awaiting.length > 0 || mayOwe(state)
}

/** True if the session has something that must become a checkpoint. */
export function hasWork(state: SessionState): boolean {
  return state.filesTouched.length > 0 || state.hasMoreFiles || owes(state)
}

/**
 * For an idle or ended session: the files by which a commit can be recognized as its work. Undefined if any commit may
 * be its work, and if the next commit removes the session. A commit made by the session itself is its work whatever
 * files it contains.
 */
export function filesAtRest(state: SessionState): readonly string[] | undefined {
  const { phase, filesTouched } = state
  const isOver = phase === 'idle' || (phase === 'ended' && filesTouched.length > 0)
  return isOver && !state.hasMoreFiles && !owes(state) ? filesTouched : undefined
}

/**
 * True if commits wait for a checkpoint that no expected event will write, because condensing failed or its process
 * died. It must be condensed again under the same id.
 */
export function isUnsettled(state: SessionState): boolean {
  return state.awaiting.length > 0 && state.phase !== 'active_committed'
}

/** True for a session that commits can ignore. */
export function isFinished(state: SessionState): boolean {
  if (state.phase !== 'ended' || owes(state)) return false
  return state.isLeftBehind || needsNoShadow(state)
}

/** True if nothing of an ended session is only in its shadow data. */
export function needsNoShadow(state: SessionState): boolean {
  return state.phase === 'ended' && state.isCondensed && !hasWork(state)
}

/** Commits whose checkpoint was written between two states of a session. */
export function settledCommits(
  before: SessionState,
  after: SessionState | undefined,
): readonly LinkedCommit[] {
  if (after === undefined) return []
  const waits = new Set(after.awaiting.map(({ checkpoint }) => checkpoint))
  return before.awaiting.filter(({ checkpoint }) => !waits.has(checkpoint))
}
