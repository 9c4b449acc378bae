/**
 * Saves a step: a shadow commit with what a session has done since the last condensation and with the pending events
 * of its worktree. If the chain already holds exactly that, no step is saved.
 */

import { carriedForward } from '../../core/checkpoint/condensation.ts'
import { withFilesTouched } from '../../core/session/change-session.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { owes } from '../../core/session/session-state.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import type { SessionContext } from './session-context.ts'
import { isHere, quietly } from './session-context.ts'
import type { Chains, PendingEvents } from './shadow-chain.ts'
import { chainOf, homesOf, readChains } from './shadow-chain.ts'
import { pendingAmong } from './shadow-events.ts'
import { collectFiles } from './collect-files.ts'
import { readCommit, versionsIn } from './git-trees.ts'
import { sessionPaths } from './shadow-files.ts'
import { absorbLeftovers, placePart } from './shadow-moves.ts'
import type { ShadowFiles } from './shadow-session.ts'
import { shadowOf, versionsOf, writeShadowSession } from './shadow-session.ts'
import { storeTranscript } from './shadow-transcript.ts'

interface Saved {
  readonly state: SessionState
  /** Also false if saving failed; the log says why. */
  readonly saved: boolean
}

export async function saveStep(context: SessionContext, state: SessionState): Promise<Saved> {
  const chains = await readChains(context, state.worktree.name)
  const before = await shadowOf(context, chains, state)
  // In another worktree, its files stay as they were saved; only the conversation is added.
  const { next, files, pending }: Taken = isHere(context, state)
    ? await takeFiles(context, state, before)
    : { next: state, files: before }
  const transcript = await storeTranscript(context, state, before.transcript)
  const prompts = await withoutSecrets(
    transcript === undefined ? state.prompts : [],
    context.secrets,
  )
  // If saving fails, the state still records what the turn changed, so the next step includes it.
  const part = () => writeShadowSession(context, { ...files, transcript }, prompts)
  return saveChain(context, next, part, chains, pending)
}

interface Taken {
  /** The state that names the files. */
  readonly next: SessionState
  readonly files: ShadowFiles
  readonly pending?: PendingEvents
}

/** Stores the session's files, and the pending events, as they are in the worktree now. */
async function takeFiles(
  context: SessionContext,
  state: SessionState,
  before: ShadowFiles,
): Promise<Taken> {
  const { format } = context.repository.place
  const pathsOf = (files: ShadowFiles) => versionsOf(files, format).map(({ path }) => path)
  const was = new Set(pathsOf(before))
  const known = new Set([...was, ...state.filesTouched])
  const { paths, ignored, differing, untracked } = await sessionPaths(context, state, known)
  const wasThere = (path: string) => was.has(path) || differing.has(path)
  const events = await pendingAmong(context, untracked)
  const { pending, ...taken } = await collectFiles(context, paths, before, wasThere, events)
  const fresh = paths.filter((path) => !wasThere(path))
  const undone = taken.more > 0 || owes(state) ? NONE : await undoneAmong(context, fresh, taken)
  const files = { ...taken, files: new Map([...taken.files].filter(([path]) => !undone.has(path))) }
  const left = state.filesTouched.filter((path) => !ignored.has(path) && !undone.has(path))
  const touched = withFilesTouched({ ...state, filesTouched: left }, pathsOf(files))
  const next = files.more > 0 ? { ...touched, hasMoreFiles: true } : touched
  return { next, files, pending }
}

const NONE: ReadonlySet<string> = new Set()

/** Of files that no step has saved yet: those that are as in HEAD. The turn removed them, or put them back. */
async function undoneAmong(
  context: SessionContext,
  paths: readonly string[],
  { files }: ShadowFiles,
): Promise<ReadonlySet<string>> {
  const { repository } = context
  const { history, worktree } = repository
  // Not those that exist but are not stored: too large, secret, or in a repository of their own.
  const asked = paths.filter((path) => files.has(path) || !worktree.isThere(path))
  if (asked.length === 0) return NONE
  const held = await quietly(context, 'HEAD not compared', async () => {
    const { oid: head } = await history.head()
    const tree = head === undefined ? undefined : (await readCommit(repository, head)).tree
    return versionsIn(repository, tree, asked)
  })
  if (held === undefined) return NONE
  const now = asked.map((path) => ({ path, blob: files.get(path)?.oid }))
  const changed = new Set(carriedForward(now, held).map(({ path }) => path))
  return new Set(asked.filter((path) => !changed.has(path)))
}

async function saveChain(
  context: SessionContext,
  state: SessionState,
  part: () => string,
  chains: Chains,
  pending?: PendingEvents,
): Promise<Saved> {
  const { id, turn, base, worktree, steps } = state
  const record = { base, worktree: worktree.name, path: worktree.path }
  const saved = await quietly(context, `session ${id}: no step`, async () => {
    if (chainOf(chains, record).chain === undefined) await absorbLeftovers(context, record, chains)
    return placePart(context, record, id, {
      why: `step: session ${id}, turn ${turn}`,
      part: part(),
      chains,
      from: homesOf(chains, state),
      isJoined: true,
      pending,
    })
  })
  return saved === true ? { state: { ...state, steps: steps + 1 }, saved } : { state, saved: false }
}
