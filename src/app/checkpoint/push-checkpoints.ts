/**
 * Pushes the checkpoints branch along with a push by the user.
 *
 * It goes to the remote to which the user pushes, and only if the remote already has the branch or the user asked for
 * it: transcripts never leave a machine unasked (docs/decisions/0018). Whatever happens, the user's push continues.
 */

import { CHECKPOINTS_BRANCH, CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { CheckpointRemote } from '../shadow/git-ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'
import { joinIntoBranch } from './join-branches.ts'

/** How long a push waits for a session that another process is changing. */
const LOCK_TIMEOUT_MS = 2000

export interface PushRequest {
  /** As git passed it to the hook: a name or a URL. */
  readonly remote: string
  /** The remote's refs that the user's push updates. */
  readonly refs: readonly string[]
  readonly settings: Pick<Settings, 'pushCheckpoints' | 'pushTimeoutMillis'>
  /** `LEDGER_GIT_PUSH_CHECKPOINTS`. */
  readonly wish: string | undefined
  /** The user's push is a dry run. */
  readonly isDry?: boolean
}

/**
 * - `off`: not wanted, or nothing at all is pushed (`--dry-run`).
 * - `own-push`: the user pushes the branch.
 * - `nothing`: there is no branch here.
 * - `not-shared`: the remote does not have the branch, and nobody asked for it.
 */
export type PushOutcome =
  | { readonly kind: 'off' | 'own-push' | 'nothing' | 'up-to-date' | 'not-shared' }
  | { readonly kind: 'pushed'; readonly isJoined: boolean }
  | { readonly kind: 'failed'; readonly reason: string }

/** Never throws. */
export async function pushCheckpoints(
  context: SessionContext,
  request: PushRequest,
): Promise<PushOutcome> {
  try {
    const outcome = await attempt(context, request)
    if (outcome.kind !== 'off') context.log(`checkpoints: push: ${outcome.kind}`)
    return outcome
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Runs after a push. If commits of open turns wait for their checkpoint, remembers to push it to this remote later.
 * Only for a named remote: a URL is not stored.
 */
export async function rememberPush(
  context: SessionContext,
  { remote, wish }: Pick<PushRequest, 'remote' | 'wish'>,
  { kind }: PushOutcome,
): Promise<void> {
  if (kind === 'off' || !/^\w[\w./-]*$/.test(remote)) return
  const pushTo = { remote, isAsked: wish === '1' }
  for (const { id } of context.sessions.listOpen().filter(({ awaiting }) => awaiting.length > 0)) {
    const remember = async (state: SessionState | undefined) => ({
      state: state && (state.awaiting.length > 0 ? { ...state, pushTo } : state),
      result: undefined,
    })
    await quietly(context, `session ${id}: push not noted`, () =>
      context.sessions.change(id, remember, LOCK_TIMEOUT_MS),
    )
  }
}

/** A message for people; undefined if there is nothing to say. */
export function pushMessage(outcome: PushOutcome, remote: string): string | undefined {
  const name = remote.includes(':') || remote.includes('/') ? 'the remote' : remote
  if (outcome.kind === 'pushed') return `ledger-git: pushed checkpoints of sessions to ${name}`
  if (outcome.kind !== 'failed') return undefined
  return (
    `ledger-git: checkpoints of sessions were not pushed to ${name}: ${outcome.reason}\n` +
    '  your own push continues; the next push includes them'
  )
}

async function attempt(context: SessionContext, request: PushRequest): Promise<PushOutcome> {
  const { remote, refs, settings, wish, isDry = false } = request
  if (isDry) return { kind: 'off' }
  if (wish === '0' || (!settings.pushCheckpoints && wish !== '1')) return { kind: 'off' }
  if (refs.includes(CHECKPOINTS_REF)) return { kind: 'own-push' }
  const tip = await context.refs.read(CHECKPOINTS_REF)
  if (tip === undefined) return { kind: 'nothing' }
  const tracking = `refs/remotes/${remote}/${CHECKPOINTS_BRANCH}`
  if ((await context.refs.read(tracking)) === tip) return { kind: 'up-to-date' }
  const timeLeft = timer(context, settings.pushTimeoutMillis)
  const port = await context.remote()
  const push = (commit: string, isTrial = false) =>
    port.push(remote, commit, CHECKPOINTS_REF, { isTrial, timeout: timeLeft() })
  const trial = await push(tip, true)
  if (trial.kind === 'failed') return trial
  if (trial.kind === 'same') return { kind: 'up-to-date' }
  if (trial.kind === 'new' && wish !== '1') return { kind: 'not-shared' }
  const first = trial.kind === 'rejected' ? trial : await push(tip)
  if (first.kind === 'failed') return first
  if (first.kind !== 'rejected') return { kind: 'pushed', isJoined: false }
  const theirs = await fetchTheirs(context, port, remote, timeLeft())
  if (typeof theirs !== 'string') return theirs
  const joined = await joinIntoBranch(context, theirs)
  if (joined === theirs) return { kind: 'up-to-date' }
  // Tried once: if another push wins again, the checkpoints wait for the next push.
  const answer = await push(joined)
  if (answer.kind === 'failed') return answer
  if (answer.kind === 'rejected') return { kind: 'failed', reason: 'others push at the same time' }
  return { kind: 'pushed', isJoined: true }
}

/** Fetches through a temporary ref of our own, so that none of the user's refs moves. */
async function fetchTheirs(
  { refs, random }: SessionContext,
  port: CheckpointRemote,
  remote: string,
  timeout: number,
): Promise<string | PushOutcome> {
  const into = `refs/ledger/fetched/${Buffer.from(random(8)).toString('hex')}`
  const reason = await port.fetch(remote, CHECKPOINTS_REF, into, timeout)
  const theirs = await refs.read(into)
  if (theirs !== undefined) await refs.remove(into, theirs)
  if (reason !== undefined) return { kind: 'failed', reason }
  return theirs ?? { kind: 'failed', reason: 'nothing was fetched' }
}

/** Returns the time left, so that all calls together stay within the limit. */
function timer({ clock }: SessionContext, limit: number): () => number {
  const start = clock.now()
  return () => Math.max(1, limit - (clock.now() - start))
}
