/**
 * The phases of a session, and what each event makes of them.
 *
 * `transition` only says what is to be done; the caller does it, in the order given, and then saves
 * phase and state together. Laws: every phase has an answer to every event; a phase is only left for
 * one that saved the turn's work, or tried to; whatever leaves `active_committed` condenses, because commits that
 * carry the pending checkpoint id wait for its data.
 */

/** As stored in the state file. No state file: no phase (`undefined`). */
export type Phase = 'idle' | 'active' | 'active_committed' | 'ended'

export const PHASES: readonly Phase[] = ['idle', 'active', 'active_committed', 'ended']

export type StartSource = 'startup' | 'resume' | 'clear' | 'compact'

export type SessionEvent =
  | { readonly type: 'turn_start' }
  /** A tool that may change something, though the turn is over: another hook had the agent go on. */
  | { readonly type: 'turn_goes_on' }
  | { readonly type: 'turn_end' }
  | { readonly type: 'git_commit' }
  | { readonly type: 'session_start'; readonly source: StartSource }
  | { readonly type: 'session_end' }

/** What the answer depends on besides phase and event. Only `git_commit` asks for it. */
export interface Facts {
  /** It changed files that no checkpoint holds, or owes a checkpoint (`hasWork`). */
  readonly touchedFiles: boolean
  /** A rebase, cherry-pick or revert made the commit: its links are mapped by post-rewrite. */
  readonly isSequence: boolean
  /** The commit does not carry this session's checkpoint id: somebody else's work. Default: it does. */
  readonly isForeign?: boolean
}

/**
 * - `clear-ended`: the session goes on: it has not ended, and is not finished.
 * - `save-shadow`: a step: the turn's work goes into the shadow data.
 * - `catch-up`: the same for a turn whose end nobody reported, before a new one takes its baseline.
 * - `condense`: shadow data becomes the checkpoint with the pending id, which is thereby settled;
 *   when it succeeded, the base is the new HEAD and what the commit lacked is carried forward.
 * - `migrate-shadow`: the state's base is the new commit, and the shadow data of the old base goes under
 *   the new one's name. The pending id stays.
 * - `discard`: the state goes away: nothing came of the session.
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
  /** To be done in this order: what is condensed first is not caught up again. */
  readonly actions: readonly Action[]
}

/** Events, with the facts that make a difference. */
type Moment =
  | Exclude<SessionEvent['type'], 'git_commit' | 'session_start'>
  /** A commit that carries the session's id, one that does not, and one that a rebase or the like made. */
  | 'own_commit'
  | 'foreign_commit'
  | 'replayed_commit'
  /** Starting and resuming mean that a turn is over; compacting and clearing happen inside one. */
  | 'restart'
  | 'same_turn'

/** What is not here changes nothing. */
const TABLE: Readonly<Record<Phase | 'none', Partial<Record<Moment, Transition>>>> = {
  none: { turn_start: to('active') },
  // A commit of others costs one that rests nothing: its next turn begins at the HEAD of then.
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
    // A commit of others costs an ended session nothing: its shadow data stays at its own base.
    own_commit: to('ended', 'condense'),
    restart: to('idle', 'clear-ended'),
    same_turn: to('idle', 'clear-ended'),
  },
}

/** What this event makes of a session in this phase. Total and pure. */
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
