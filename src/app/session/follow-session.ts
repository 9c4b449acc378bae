/** A session's next event: the phase machine says what is to be done, and here it is done. */

import type { Circumstances } from '../../core/session/change-session.ts'
import { applyTransition } from '../../core/session/change-session.ts'
import type { Action, SessionEvent } from '../../core/session/phase.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { carryForward } from '../shadow/carry-forward.ts'
import { condenseSession } from '../checkpoint/condense-session.ts'
import { migrateShadow } from '../shadow/migrate-shadow.ts'
import type { Step } from '../shadow/save-step.ts'
import { saveStep } from '../shadow/save-step.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { headOf } from '../shadow/session-context.ts'

export interface Happened extends Circumstances {
  readonly event: SessionEvent
  /** What tools named since the last step. */
  readonly step?: Step
}

/** Returns the state afterwards; undefined when nothing came of the session. */
export async function followSession(
  context: SessionContext,
  state: SessionState,
  { event, step = { files: [] }, ...circumstances }: Happened,
): Promise<SessionState | undefined> {
  const next = applyTransition(state, event, circumstances)
  let after: SessionState | undefined = next.state
  for (const action of next.actions) {
    if (after === undefined) return undefined
    after = await perform(context, action, { before: state, after, step })
  }
  return after
}

interface Doing {
  readonly before: SessionState
  readonly after: SessionState
  readonly step: Step
}

async function perform(
  context: SessionContext,
  action: Action,
  { before, after, step }: Doing,
): Promise<SessionState | undefined> {
  switch (action) {
    case 'save-shadow':
    case 'catch-up':
      return (await saveStep(context, after, step)).state
    case 'condense': {
      // An open turn's files are those of the worktree: the phase of before tells.
      const { phase, turn } = before
      const done = await condenseSession(context, { ...after, phase, turn })
      return { ...done, phase: after.phase, turn: after.turn }
    }
    case 'migrate-shadow': {
      const base = await headOf(context, after)
      return base === undefined ? after : migrateShadow(context, after, base)
    }
    case 'discard': {
      await carryForward(context, after, { base: await headOf(context, after), files: [] })
      return undefined
    }
    case 'create-state':
    case 'clear-ended':
    case 'move-base': // goes with the shadow data
      return after
  }
}
