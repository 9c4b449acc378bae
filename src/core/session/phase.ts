/**
 * The phases of a session, and what each event makes of them.
 *
 * `transition` only says what is to be done; the caller does it, in the order given, and then saves
 * phase and state together. Laws: every phase has an answer to every event; a phase is only left for
 * one that saved the turn's work; whatever leaves `active_committed` condenses, because commits that
 * carry the pending checkpoint id wait for its data.
 */

/** As stored in the state file. No state file: no phase (`undefined`). */
export type Phase = 'idle' | 'active' | 'active_committed' | 'ended'

export const PHASES: readonly Phase[] = ['idle', 'active', 'active_committed', 'ended']

export type StartSource = 'startup' | 'resume' | 'clear' | 'compact'

export type SessionEvent =
  | { readonly type: 'turn_start' }
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
 * - `create-state`: there is no state file yet; the session begins here.
 * - `clear-ended`: the session goes on: it has not ended, and is not finished.
 * - `save-shadow`: a step: the turn's work goes into the shadow data.
 * - `catch-up`: the same for a turn whose end nobody reported, before a new one takes its baseline.
 * - `condense`: shadow data becomes the checkpoint with the pending id, which is thereby settled;
 *   when it succeeded, the base is the new HEAD and what the commit lacked is carried forward.
 * - `move-base`, `migrate-shadow`: the state's base is the new commit, and the shadow data of the old
 *   base goes under the new one's name. The pending id stays.
 * - `discard`: the state goes away: nothing came of the session.
 */
export type Action =
  | 'create-state'
  | 'clear-ended'
  | 'save-shadow'
  | 'catch-up'
  | 'condense'
  | 'move-base'
  | 'migrate-shadow'
  | 'discard'

export interface Transition {
  readonly phase: Phase | undefined
  /** To be done in this order: what is condensed first is not caught up again. */
  readonly actions: readonly Action[]
}

/** What this event makes of a session in this phase. Total and pure. */
export function transition(
  phase: Phase | undefined,
  event: SessionEvent,
  facts: Facts,
): Transition {
  switch (phase) {
    case undefined:
      return event.type === 'turn_start' ? to('active', 'create-state') : to(undefined)
    case 'idle':
      return fromIdle(event, facts)
    case 'active':
      return fromActive(event, facts)
    case 'active_committed':
      return fromActiveCommitted(event, facts)
    case 'ended':
      return fromEnded(event, facts)
  }
}

function fromIdle(event: SessionEvent, facts: Facts): Transition {
  switch (event.type) {
    case 'turn_start':
      return to('active')
    case 'git_commit':
      if (facts.isSequence) return to('idle')
      return facts.isForeign ? to('idle', ...FOLLOW) : to('idle', 'condense')
    case 'session_end':
      return to('ended')
    case 'turn_end':
    case 'session_start':
      return to('idle')
  }
}

function fromActive(event: SessionEvent, facts: Facts): Transition {
  switch (event.type) {
    case 'turn_start':
      return to('active', 'catch-up')
    case 'turn_end':
      return to('idle', 'save-shadow')
    case 'git_commit':
      if (facts.isSequence) return to('active')
      return to(facts.isForeign ? 'active' : 'active_committed', ...FOLLOW)
    case 'session_start':
      return isSameTurn(event.source) ? to('active') : to('idle', 'catch-up')
    case 'session_end':
      return to('ended', 'save-shadow')
  }
}

function fromActiveCommitted(event: SessionEvent, facts: Facts): Transition {
  switch (event.type) {
    case 'turn_start':
      return to('active', 'condense', 'catch-up')
    case 'turn_end':
      return to('idle', 'condense')
    case 'git_commit':
      return facts.isSequence ? to('active_committed') : to('active_committed', ...FOLLOW)
    case 'session_start':
      return isSameTurn(event.source) ? to('active_committed') : to('idle', 'condense')
    case 'session_end':
      return to('ended', 'condense')
  }
}

function fromEnded(event: SessionEvent, facts: Facts): Transition {
  switch (event.type) {
    case 'turn_start':
      return to('active', 'clear-ended')
    case 'git_commit':
      if (facts.isSequence) return to('ended')
      if (!facts.touchedFiles) return to('ended', 'discard')
      // A finished session costs a foreign commit nothing: its shadow data stays at its own base.
      return facts.isForeign ? to('ended') : to('ended', 'condense')
    case 'session_start':
      return to('idle', 'clear-ended')
    case 'turn_end':
    case 'session_end':
      return to('ended')
  }
}

/** What a session does with a commit that it does not condense: it goes along. */
const FOLLOW: readonly Action[] = ['move-base', 'migrate-shadow']

/** Compacting and clearing happen inside a turn; starting and resuming mean that it is over. */
function isSameTurn(source: StartSource): boolean {
  return source === 'compact' || source === 'clear'
}

function to(phase: Phase | undefined, ...actions: Action[]): Transition {
  return { phase, actions }
}
