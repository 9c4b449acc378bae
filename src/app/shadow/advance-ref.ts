/**
 * Moves one of our refs: read, build, compare-and-swap, and retry if another process was faster.
 *
 * Every change is a function of what the ref holds, so no update is lost. A lost race means that another process
 * won it, so there is always progress.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { SessionContext } from './session-context.ts'

export interface NextCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

/** Where the ref is and where it should be: at an existing commit, or at a new one to be created. */
export interface Proposal {
  readonly ref: string
  readonly from: string | undefined
  readonly to: string | NextCommit | undefined
}

const MAX_ATTEMPTS = 500
const MAX_PAUSE = 120

/** Returns the new tip, and whether the ref moved. `what` names the ref in the error if all attempts fail. */
export async function advanceRef(
  { refs, objects, clock, random }: SessionContext,
  what: string,
  propose: () => Promise<Proposal>,
): Promise<{ readonly tip: string | undefined; readonly hasMoved: boolean }> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { ref, from, to } = await propose()
    if (to === from) return { tip: from, hasMoved: false }
    const isMade = typeof to === 'object'
    const tip = isMade ? objects.commit({ ...to, at: clock.now() }) : (to ?? '')
    objects.flush()
    const reason = isMade ? (to.message.split('\n')[0] ?? '') : 'forward'
    if (await refs.move(ref, tip, from, reason)) return { tip, hasMoved: true }
    // Back off, with random jitter.
    const longest = Math.min(MAX_PAUSE, 4 * 2 ** Math.min(attempt, 8))
    const [share = 0] = random(1)
    await new Promise((resolve) => setTimeout(resolve, (longest * share) / 255))
  }
  throw new LedgerError('LOCKED', `others keep moving ${what}`, 'try again')
}
