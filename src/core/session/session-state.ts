/**
 * What is known of one session: the record in `<common-dir>/ledger-git/sessions/<id>.json`.
 *
 * Every field says when it is set and when it goes. `session-file.ts` reads and writes the text,
 * `change-session.ts` has every change. Within version 1 a newer release may add fields at the top;
 * they are kept. Instants are ISO 8601 texts that the caller's clock made.
 */

import type { CheckpointId } from './checkpoint-id.ts'
import type { Phase } from './phase.ts'
import type { Todo } from './todos.ts'

export const STATE_VERSION = 1

export interface SessionState {
  /** The agent's own id of the session; names the file. Never changes. */
  readonly id: string
  /** The agent program, such as `claude-code`. Never changes. */
  readonly agent: string
  /** The name of its events (`session-name.ts`). Set with a first turn, and with one after an end. */
  readonly name: string | undefined
  /** Set by `applyEvent` alone. */
  readonly phase: Phase
  /** Where it works. Set at creation and by every turn: agents move between worktrees. */
  readonly worktree: Worktree
  /** The branch that its last turn was on; undefined on none. Set as a turn begins and as it ends. */
  readonly branch: string | undefined
  /** The commit that the shadow data lies on; undefined before a first commit. Moves with HEAD. */
  readonly base: string | undefined
  /** Creation. Never changes. */
  readonly startedAt: string
  /** The last session end; cleared when the session goes on (`clear-ended`). */
  readonly endedAt: string | undefined
  /** When a hook of the session, or a tool of a subagent, last ran. */
  readonly lastSignOfLife: string
  /** The agent's process. Set when the session and when a turn starts, cleared when it ends. */
  readonly owner: ProcessIdentity | undefined
  /** Turns begun, this one included. */
  readonly turn: number
  /**
   * The id that the trailers of coming commits carry. Set before a message can carry it, the same one
   * until a checkpoint of that id was written; cleared by that alone.
   */
  readonly pendingCheckpoint: CheckpointId | undefined
  /** Commits whose checkpoint is not written yet; cleared when it is. The newest 500. */
  readonly awaiting: readonly LinkedCommit[]
  /** Where a push went while commits waited: their checkpoint follows. Cleared once it is written. */
  readonly pushTo: PushedTo | undefined
  /** All commits of the session, for its last event. The newest 500; never cleared. */
  readonly commits: readonly LinkedCommit[]
  /** What it changed and no checkpoint holds; condensation leaves what is carried forward. 5,000. */
  readonly filesTouched: readonly string[]
  /** True when files were left out of `filesTouched`: the shadow data knows them. Goes with it. */
  readonly hasMoreFiles: boolean
  /**
   * Paths that differed from HEAD when the turn began: not its work, unless a tool says so. Replaced
   * by every turn start, after the turn before it was caught up. The first 5,000.
   */
  readonly dirtyBefore: readonly string[]
  /** In this turn a tool ran that writes, or may: what a hook heard. Cleared as a turn begins. */
  readonly mayHaveWritten: boolean
  /** The agent's log. The offset moves when the part before it was condensed. */
  readonly transcript: Transcript | undefined
  /** Subagents since the last condensation; cleared by it. The newest 100. */
  readonly tasks: readonly SessionTask[]
  /** The session's first prompt, at most 1,000 characters. Set once. */
  readonly firstPrompt: string | undefined
  /** Prompts since the last condensation; cleared by it. The newest 50, 4,000 characters each. */
  readonly prompts: readonly string[]
  /** Shadow commits since the last condensation; set to zero by it. */
  readonly steps: number
  /** The last checkpoint that was written: an amended commit keeps its trailer. Never cleared. */
  readonly lastCheckpoint: CheckpointId | undefined
  /** Nothing is left to condense: commits skip a session that ended so. Cleared by any new work. */
  readonly isCondensed: boolean
  /**
   * It ended long ago with work that no commit took, and all it said is condensed: commits do not look
   * at it, its shadow data keeps the work. Cleared when the session goes on.
   */
  readonly isLeftBehind: boolean
  /** The agent's to-do list as it last stood. 200 items, 500 characters each; ids up to 100. */
  readonly todos: readonly Todo[]
  /** The assistant's last words of the last turn, at most 8,000 characters. */
  readonly lastMessage: string | undefined
  /** Questions that wait for an answer, as last seen; replaced whole. 50, 1,000 characters each. */
  readonly questions: readonly string[]
  /**
   * The handoffs as they were when the session began, or went on after an end that was told, and which of
   * them it changed. The first 500.
   */
  readonly handoffs: readonly SessionHandoff[]
  /** The event that the session's end wrote: a second end writes none. Cleared by a turn's start. */
  readonly endEvent: string | undefined
  /** Decisions and tests of the log up to this instant are told. Set with every event, never cleared. */
  readonly toldUntil: string | undefined
  /** When it last changed a file. Set by tools that name one, and by steps that find one. */
  readonly workedAt: string | undefined
  /** When the agent was last asked to record its work. */
  readonly askedAt: string | undefined
  /** What a newer release keeps here. */
  readonly unknown: Readonly<Record<string, unknown>>
}

export interface Worktree {
  /** Absolute. */
  readonly path: string
  /** Its name among the linked ones; empty for the main one. */
  readonly name: string
}

/** A process: ids are used again, so its start time belongs to it. */
export interface ProcessIdentity {
  readonly pid: number
  /** As the system prints it; compared, never read. */
  readonly startTime: string
}

export interface LinkedCommit {
  readonly commit: string
  readonly checkpoint: CheckpointId
}

export interface PushedTo {
  /** Its name in git's configuration: an address may hold a password. */
  readonly remote: string
  /** The user asked for checkpoints there. */
  readonly isAsked: boolean
}

export interface Transcript {
  readonly path: string
  /** Bytes that checkpoints hold already. */
  readonly offset: number
}

export interface SessionHandoff {
  /** From the top of the worktree. */
  readonly path: string
  /** Undefined for one that was not there. */
  readonly blob: string | undefined
  readonly isChanged: boolean
}

export interface SessionTask {
  readonly toolUseId: string
  readonly transcriptPath: string | undefined
}

/** Longest id in UTF-16 units: a file name with room for `.json` and a temporary name's ending. */
const MAX_ID = 128

/**
 * True for a text that can name a file and be part of a ref: letters, digits, `.`, `_` and `-`, without
 * `..`, with neither a dot nor a dash at its start, nor a dot or `.lock` at its end. So it has no
 * separator, control character or white space, and no option or hidden file can look like one.
 */
export function isSessionId(id: string): boolean {
  if (id.length > MAX_ID || id.includes('..') || /\.(?:lock)?$/.test(id)) return false
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(id)
}

export function isOpenTurn({ phase }: Pick<SessionState, 'phase'>): boolean {
  return phase === 'active' || phase === 'active_committed'
}

/**
 * True while an id is promised of which no commit is known: one may carry it whose hook was killed, or
 * that is being made just now.
 */
export function mayOwe({ pendingCheckpoint, awaiting }: SessionState): boolean {
  if (pendingCheckpoint === undefined) return false
  return !awaiting.some(({ checkpoint }) => checkpoint === pendingCheckpoint)
}

/** True while commits wait for a checkpoint of the session, or may: then nothing forgets it. */
export function owes(state: SessionState): boolean {
  return state.awaiting.length > 0 || mayOwe(state)
}

/** True when the session has something that must become a checkpoint. */
export function hasWork(state: SessionState): boolean {
  return state.filesTouched.length > 0 || state.hasMoreFiles || owes(state)
}

/**
 * Of a session that rests or ended: the files by which a commit can be its work. Undefined where any commit
 * can, and where the next one puts it away. A commit that the session itself makes is its work whatever
 * files it has.
 */
export function filesAtRest(state: SessionState): readonly string[] | undefined {
  const { phase, filesTouched } = state
  const isOver = phase === 'idle' || (phase === 'ended' && filesTouched.length > 0)
  return isOver && !state.hasMoreFiles && !owes(state) ? filesTouched : undefined
}

/**
 * True when commits wait for a checkpoint that no coming event is bound to write: condensing failed,
 * or the process died in it. To be condensed again under the same id.
 */
export function isUnsettled(state: SessionState): boolean {
  return state.awaiting.length > 0 && state.phase !== 'active_committed'
}

/** True for a session that a commit need not look at. */
export function isFinished(state: SessionState): boolean {
  if (state.phase !== 'ended' || owes(state)) return false
  return state.isLeftBehind || needsNoShadow(state)
}

/** True when nothing of an ended session is in its shadow data alone. */
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
