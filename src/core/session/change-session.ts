/**
 * Every change of a session's state, as a function from state to state.
 *
 * These are the changes that a phase needs (`applyTransition`), that the agent reports, and that record what was done
 * (`withCommit`, `withCondensed`, …). Lists are limited here and nowhere else. There is no clock: the same input gives
 * the same state.
 */

import { createHash } from 'node:crypto'
import { cutMiddle, cutText, newest } from './bounds.ts'
import type { CheckpointId } from './checkpoint-id.ts'
import { checkpointIdFrom } from './checkpoint-id.ts'
import type { Action, SessionEvent } from './phase.ts'
import { transition } from './phase.ts'
import { FIRST_VALUES } from './session-file.ts'
import type { LinkedCommit, SessionHandoff, SessionState, SessionTask } from './session-state.ts'
import { hasWork } from './session-state.ts'
import type { Todo } from './todos.ts'

/** What the hook that starts a session's first turn knows. */
export type NewSession = Pick<SessionState, 'id' | 'agent' | 'worktree' | 'base' | 'owner'>

/** A session in its first turn. */
export function newSession(about: NewSession, at: string): SessionState {
  const begun = { phase: 'active', startedAt: at, lastSignOfLife: at, turn: 1 } as const
  return { ...FIRST_VALUES, ...about, ...begun }
}

/** When the event happened and, for a commit, who made it (`Facts`). */
export interface Circumstances {
  readonly at: string
  readonly isSequence?: boolean
  readonly isForeign?: boolean
}

/**
 * The state after an event, and the actions to perform. The state assumes that the actions are performed; those with
 * further effects on it have a function below. A commit is not a sign of life, because anybody can make one.
 */
export function applyTransition(
  state: SessionState,
  event: SessionEvent,
  { at, isSequence = false, isForeign = false }: Circumstances,
): { state: SessionState; actions: readonly Action[] } {
  const facts = { touchedFiles: hasWork(state), isSequence, isForeign }
  const { phase = state.phase, actions } = transition(state.phase, event, facts)
  const isTurnStart = event.type === 'turn_start'
  const isEnd = phase === 'ended' && state.phase !== 'ended'
  return {
    actions,
    state: {
      ...state,
      phase,
      lastSignOfLife: event.type === 'git_commit' ? state.lastSignOfLife : at,
      turn: isTurnStart ? state.turn + 1 : state.turn,
      // What the previous turn said and asked is over: the user has moved on.
      ...(isTurnStart
        ? { isCondensed: false, endEvent: undefined, lastMessage: undefined, questions: [] }
        : {}),
      ...(isEnd ? { endedAt: at, owner: undefined } : {}),
      ...(actions.includes('clear-ended') ? { endedAt: undefined, isLeftBehind: false } : {}),
    },
  }
}

/** The event of an end could not be written: the next clean-up ends the session. */
export function withEndUntold(state: SessionState, before: SessionState): SessionState {
  const { owner, lastSignOfLife } = before
  return { ...state, phase: 'idle', endedAt: undefined, owner, lastSignOfLife }
}

/** A prompt begins new work. */
export function withPrompt(state: SessionState, prompt: string): SessionState {
  return {
    ...state,
    isCondensed: false,
    isLeftBehind: false,
    firstPrompt: state.firstPrompt ?? cutText(prompt, 1000),
    prompts: newest([...state.prompts, cutText(prompt, 4000)], 50),
  }
}

export const MAX_FILES = 5000

/** Files that the session changed, without duplicates, in the order of the first change; at most `MAX_FILES`. */
export function withFilesTouched(state: SessionState, paths: readonly string[]): SessionState {
  const all = [...new Set([...state.filesTouched, ...paths])]
  return {
    ...state,
    filesTouched: all.slice(0, MAX_FILES),
    hasMoreFiles: state.hasMoreFiles || all.length > MAX_FILES,
    isCondensed: state.isCondensed && all.length === 0,
    isLeftBehind: state.isLeftBehind && all.length === state.filesTouched.length,
    handoffs: withChanged(state.handoffs, new Set(paths)),
  }
}

const MAX_HANDOFFS = 500

/** The handoffs before the session's first turn, to detect later changes. */
export function withHandoffs(
  state: SessionState,
  handoffs: readonly Pick<SessionHandoff, 'path' | 'blob'>[],
): SessionState {
  const known = handoffs.slice(0, MAX_HANDOFFS).map((one) => ({ ...one, isChanged: false }))
  return { ...state, handoffs: known }
}

function withChanged(
  handoffs: readonly SessionHandoff[],
  paths: ReadonlySet<string>,
): readonly SessionHandoff[] {
  const known = new Set(handoffs.map(({ path }) => path))
  // Only a handoff's file has this name. Folders that are not handoffs are sorted out when the file is read.
  const made = [...paths].filter((path) => /[^/]\/current\.md$/.test(path) && !known.has(path))
  if (made.length === 0 && !handoffs.some(({ path }) => paths.has(path))) return handoffs
  const all = [
    ...handoffs.map((one) => ({ ...one, isChanged: one.isChanged || paths.has(one.path) })),
    ...made.map((path) => ({ path, blob: undefined, isChanged: true })),
  ]
  return all.slice(0, MAX_HANDOFFS)
}

/** What differs in the worktree at the beginning of a turn, before anything is written. */
export function withDirtyBefore(state: SessionState, paths: readonly string[]): SessionState {
  const dirtyBefore = [...new Set(paths)].slice(0, MAX_FILES)
  return { ...state, dirtyBefore, mayHaveWritten: false }
}

/** The agent's log. If the file changes, as it may in a resumed session, it is read from its start. */
export function withTranscript(state: SessionState, path: string): SessionState {
  if (state.transcript?.path === path) return state
  return { ...state, transcript: { path, offset: 0 } }
}

export function withTask(state: SessionState, task: SessionTask): SessionState {
  const others = state.tasks.filter(({ toolUseId }) => toolUseId !== task.toolUseId)
  return { ...state, tasks: newest([...others, task], 100) }
}

export function withTodos(state: SessionState, todos: readonly Todo[]): SessionState {
  return { ...state, todos: todos.slice(0, 200).map(boundedTodo) }
}

/** A truncated id could equal another task's, so a long id is dropped. */
function boundedTodo({ id, text, status }: Todo): Todo {
  const bounded = { text: cutText(text, 500), status }
  return id === undefined || id.length > 100 ? bounded : { id: id.toWellFormed(), ...bounded }
}

/** The agent's last message, and the questions in it. */
export function withLastMessage(
  state: SessionState,
  message: string,
  questions: readonly string[],
): SessionState {
  return {
    ...state,
    lastMessage: cutMiddle(message, 8000),
    questions: questions.slice(0, 50).map((text) => cutText(text, 1000)),
  }
}

/** The id for the next trailer: the one already promised, else `fresh`. Save the state before using the id. */
export function withPendingCheckpoint(state: SessionState, fresh: CheckpointId): SessionState {
  return { ...state, pendingCheckpoint: state.pendingCheckpoint ?? fresh }
}

/**
 * The id of the next checkpoint: the promised one, else that of a waiting commit, else one derived from values that
 * only a condensation changes. A condensation that was killed is therefore repeated under the same id.
 */
export function checkpointOf(state: SessionState): CheckpointId {
  const { id, startedAt, lastCheckpoint = '', pendingCheckpoint, awaiting } = state
  const known = pendingCheckpoint ?? awaiting[0]?.checkpoint
  if (known !== undefined) return known
  const place = [id, startedAt, lastCheckpoint].join('\n')
  return checkpointIdFrom(createHash('sha256').update(place).digest().subarray(0, 6))
}

const MAX_COMMITS = 500

/** Adds a commit that carries the pending id and waits for that checkpoint. */
export function withCommit(state: SessionState, made: LinkedCommit): SessionState {
  return {
    ...state,
    awaiting: distinct([...state.awaiting, made]),
    commits: distinct([...state.commits, made]),
  }
}

/** The newest links without duplicates, each at its first place. */
function distinct(links: readonly LinkedCommit[]): readonly LinkedCommit[] {
  const once = new Map(links.map((one) => [`${one.commit} ${one.checkpoint}`, one] as const))
  return newest([...once.values()], MAX_COMMITS)
}

export interface Condensed {
  readonly checkpoint: CheckpointId
  /** The current HEAD. */
  readonly base: string | undefined
  /** Paths that no commit contains in the state in which the session left them. */
  readonly carried: readonly string[]
  /** Number of transcript bytes that checkpoints now contain. */
  readonly offset: number
}

/** `condense` succeeded: the id is settled, and remaining work belongs to the next checkpoint. */
export function withCondensed(state: SessionState, done: Condensed): SessionState {
  const { checkpoint, base, carried, offset } = done
  const isSettled = state.pendingCheckpoint === checkpoint
  const awaiting = state.awaiting.filter((commit) => commit.checkpoint !== checkpoint)
  const left: SessionState = {
    ...state,
    pendingCheckpoint: isSettled ? undefined : state.pendingCheckpoint,
    awaiting,
    pushTo: awaiting.length === 0 ? undefined : state.pushTo,
    base,
    filesTouched: [],
    hasMoreFiles: false,
    transcript: state.transcript === undefined ? undefined : { ...state.transcript, offset },
    tasks: [],
    prompts: [],
    steps: 0,
    lastCheckpoint: checkpoint,
    isCondensed: awaiting.length === 0,
    isLeftBehind: false,
  }
  return withFilesTouched(left, carried)
}

/** The session no longer waits for a commit. Without work it is simply finished. */
export const withLeftBehind = (state: SessionState) => ({ ...state, isLeftBehind: hasWork(state) })

/** A rebase or an amend rewrote these commits, so links and base are updated. Several commits may have become one. */
export function withRewritten(
  state: SessionState,
  rewritten: ReadonlyMap<string, string>,
): SessionState {
  const follow = (commit: string) => rewritten.get(commit) ?? commit
  const followAll = (links: readonly LinkedCommit[]) =>
    distinct(links.map((one) => ({ ...one, commit: follow(one.commit) })))
  return {
    ...state,
    base: state.base === undefined ? undefined : follow(state.base),
    awaiting: followAll(state.awaiting),
    commits: followAll(state.commits),
  }
}
