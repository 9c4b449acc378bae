/**
 * Every change of a session's state, as a function from state to state.
 *
 * What a phase needs (`applyTransition`), what the agent reports, and what was done (`withCommit`,
 * `withCondensed`, …). Lists are bounded here and nowhere else. Same input, same state: no clock.
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

/** When it happened and, of a commit, whose it is (`Facts`). */
export interface Circumstances {
  readonly at: string
  readonly isSequence?: boolean
  readonly isForeign?: boolean
}

/**
 * The state after an event, and what is to be done. The state counts on it that the actions are done:
 * those that change it more have a function below. A commit is no sign of life: anybody can make one.
 */
export function applyTransition(
  state: SessionState,
  event: SessionEvent,
  { at, isSequence = false, isForeign = false }: Circumstances,
): { state: SessionState; actions: readonly Action[] } {
  const facts = { touchedFiles: hasWork(state), isSequence, isForeign }
  const { phase = state.phase, actions } = transition(state.phase, event, facts)
  const begins = event.type === 'turn_start'
  const ends = phase === 'ended' && state.phase !== 'ended'
  return {
    actions,
    state: {
      ...state,
      phase,
      lastSignOfLife: event.type === 'git_commit' ? state.lastSignOfLife : at,
      turn: begins ? state.turn + 1 : state.turn,
      // What the turn before said and asked is over: the user went on.
      ...(begins
        ? { isCondensed: false, endEvent: undefined, lastMessage: undefined, questions: [] }
        : {}),
      ...(ends ? { endedAt: at, owner: undefined } : {}),
      ...(actions.includes('clear-ended') ? { endedAt: undefined, isLeftBehind: false } : {}),
    },
  }
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

/** Files that it changed, each once, in the order of the first change; of too many the first ones. */
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

/** What a session may change later: the handoffs, as they are before its first turn. */
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
  // Only a handoff's own file has the name; whose folder is no handoff's is told apart when it is read.
  const made = [...paths].filter((path) => /[^/]\/current\.md$/.test(path) && !known.has(path))
  if (made.length === 0 && !handoffs.some(({ path }) => paths.has(path))) return handoffs
  const all = [
    ...handoffs.map((one) => ({ ...one, isChanged: one.isChanged || paths.has(one.path) })),
    ...made.map((path) => ({ path, blob: undefined, isChanged: true })),
  ]
  return all.slice(0, MAX_HANDOFFS)
}

/** What is changed in the worktree as a turn begins, in which nothing was written yet. */
export function withDirtyBefore(state: SessionState, paths: readonly string[]): SessionState {
  const dirtyBefore = [...new Set(paths)].slice(0, MAX_FILES)
  return { ...state, dirtyBefore, mayHaveWritten: false }
}

/** The agent's log; another file (a resumed session may get one) is read from its start. */
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

/** An id that was cut could be another's: a long one is left out. */
function boundedTodo({ id, text, status }: Todo): Todo {
  const bounded = { text: cutText(text, 500), status }
  return id === undefined || id.length > 100 ? bounded : { id: id.toWellFormed(), ...bounded }
}

/** What the agent said last, and what it asked in that. */
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

/** The id for the next trailer: the one promised already, else `fresh`. Save before using it. */
export function withPendingCheckpoint(state: SessionState, fresh: CheckpointId): SessionState {
  return { ...state, pendingCheckpoint: state.pendingCheckpoint ?? fresh }
}

/**
 * The id of the next checkpoint: the one promised, else one that waits for it, else one made of what
 * only a condensation changes. So one that is killed in the midst is done again under the same id.
 */
export function checkpointOf(state: SessionState): CheckpointId {
  const { id, startedAt, lastCheckpoint = '', pendingCheckpoint, awaiting } = state
  const known = pendingCheckpoint ?? awaiting[0]?.checkpoint
  if (known !== undefined) return known
  const place = [id, startedAt, lastCheckpoint].join('\n')
  return checkpointIdFrom(createHash('sha256').update(place).digest().subarray(0, 6))
}

const MAX_COMMITS = 500

/** A commit that carries the pending id: it waits for that checkpoint. */
export function withCommit(state: SessionState, made: LinkedCommit): SessionState {
  return {
    ...state,
    awaiting: distinct([...state.awaiting, made]),
    commits: distinct([...state.commits, made]),
  }
}

/** Each link once, at its first place; the newest. */
function distinct(links: readonly LinkedCommit[]): readonly LinkedCommit[] {
  const once = new Map(links.map((one) => [`${one.commit} ${one.checkpoint}`, one] as const))
  return newest([...once.values()], MAX_COMMITS)
}

export interface Condensed {
  readonly checkpoint: CheckpointId
  /** HEAD now. */
  readonly base: string | undefined
  /** Paths that no commit holds as the session left them. */
  readonly carried: readonly string[]
  /** Bytes of the transcript that checkpoints hold now. */
  readonly offset: number
}

/** `condense` succeeded: the id is settled, and what is left belongs to the next checkpoint. */
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

/** No commit is waited for any longer. Without work it is just finished. */
export const withLeftBehind = (state: SessionState) => ({ ...state, isLeftBehind: hasWork(state) })

/** A rebase or an amendment made these commits anew: links and base follow. Several may become one. */
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
