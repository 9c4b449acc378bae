/**
 * The phases of a session, and how events change them.
 *
 * `transition` only returns the actions. The caller performs them in the given order, and then saves phase and state
 * together.
 *
 * Invariants:
 * - Every phase handles every event.
 * - The work of a turn is saved, or at least an attempt is made, before its phase is left.
 * - Every transition out of `active_committed` condenses, because commits with the pending checkpoint id wait for its
 *   data.
 */

/** As stored in the state file. Without a state file there is no phase (`undefined`). */
export type Phase = 'idle' | 'active' | 'active_committed' | 'ended'

export const PHASES: readonly Phase[] = ['idle', 'active', 'active_committed', 'ended']

export type StartSource = 'startup' | 'resume' | 'clear' | 'compact'

export type SessionEvent =
  | { readonly type: 'turn_start' }
  /** A tool that may change something ran after the end of the turn, because another hook made the agent continue. */
  | { readonly type: 'turn_goes_on' }
  | { readonly type: 'turn_end' }
  | { readonly type: 'git_commit' }
  | { readonly type: 'session_start'; readonly source: StartSource }
  | { readonly type: 'session_end' }

/** Facts besides phase and event that the result depends on. Only `git_commit` uses them. */
export interface Facts {
  /** The session changed files that no checkpoint contains, or owes a checkpoint (`hasWork`). */
  readonly touchedFiles: boolean
  /** A rebase, cherry-pick, or revert made the commit; post-rewrite maps its links. */
  readonly isSequence: boolean
  /** The commit does not carry this session's checkpoint id, so it is somebody else's work. Default: false. */
  readonly isForeign?: boolean
}

/**
 * - `clear-ended`: the session continues, so it is no longer ended or finished.
 * - `save-shadow`: saves a step: the turn's work is added to the shadow data.
 * - `catch-up`: the same for a turn whose end was not reported, before a new turn takes its baseline.
 * - `condense`: turns shadow data into the checkpoint with the pending id, which is thereby settled. If it succeeds,
 *   the base becomes the new HEAD, and work missing from the commit is carried forward.
 * - `migrate-shadow`: the state's base becomes the new commit, and the shadow data of the old base is moved to the name
 *   of the new one. The pending id is kept.
 * - `discard`: deletes the state, because the session has no results.
 */
export type Action =
  | 'clear-ended'
  | 'save-shadow'
  | 'catch-up'
  | 'condense'
  | 'migrate-shadow'
  | 'discard'

export interface Transition {
  readonly phase: Phase | undefined
  /** To be performed in this order: what is condensed first is not caught up again. */
  readonly actions: readonly Action[]
}

/** Events, distinguished by the facts that make a difference. */
type Moment =
  | Exclude<SessionEvent['type'], 'git_commit' | 'session_start'>
  /** A commit with the session's id, one without it, and one made by a rebase or the like. */
  | 'own_commit'
  | 'foreign_commit'
  | 'replayed_commit'
  /** Starting and resuming mean that a turn is over; compacting and clearing happen during a turn. */
  | 'restart'
  | 'same_turn'

/** Combinations that are not listed change nothing. */
const TABLE: Readonly<Record<Phase | 'none', Partial<Record<Moment, Transition>>>> = {
  none: { turn_start: to('active') },
  // A commit by others does not affect an idle session: its next turn begins at the HEAD of that time.
  idle: {
    turn_start: to('active'),
    turn_goes_on: to('active'),
    own_commit: to('idle', 'condense'),
    session_end: to('ended'),
  },
  active: {
    turn_start: to('active', 'catch-up'),
    turn_end: to('idle', 'save-shadow'),
    own_commit: to('active_committed', 'migrate-shadow'),
    foreign_commit: to('active', 'migrate-shadow'),
    restart: to('idle', 'catch-up'),
    session_end: to('ended', 'save-shadow'),
  },
  active_committed: {
    turn_start: to('active', 'condense', 'catch-up'),
    turn_end: to('idle', 'condense'),
    own_commit: to('active_committed', 'migrate-shadow'),
    foreign_commit: to('active_committed', 'migrate-shadow'),
    restart: to('idle', 'condense'),
    session_end: to('ended', 'condense'),
  },
  ended: {
    turn_start: to('active', 'clear-ended'),
    // A commit by others does not affect an ended session: its shadow data stays at its own base.
    own_commit: to('ended', 'condense'),
    restart: to('idle', 'clear-ended'),
    same_turn: to('idle', 'clear-ended'),
  },
}

/** The transition for this event in this phase. Total and pure. */
export function transition(
  phase: Phase | undefined,
  event: SessionEvent,
  facts: Facts,
): Transition {
  const moment = momentOf(event, facts)
  const isCommit = moment === 'own_commit' || moment === 'foreign_commit'
  if (phase === 'ended' && isCommit && !facts.touchedFiles) return to('ended', 'discard')
  return TABLE[phase ?? 'none'][moment] ?? to(phase)
}

function momentOf(event: SessionEvent, { isSequence, isForeign }: Facts): Moment {
  switch (event.type) {
    case 'git_commit':
      if (isSequence) return 'replayed_commit'
      return isForeign ? 'foreign_commit' : 'own_commit'
    case 'session_start':
      return event.source === 'compact' || event.source === 'clear' ? 'same_turn' : 'restart'
    default:
      return event.type
  }
}

function to(phase: Phase | undefined, ...actions: Action[]): Transition {
  return { phase, actions }
}
