/**
 * Commits that no git hook followed. Some agents run git without its hooks, so no trailer is written and the
 * commit goes unnoticed.
 *
 * After anything that may have made a commit, HEAD is compared with the base that the session knows. A commit that
 * git's reflog shows since then belongs to the session if its own shell has just run and no other turn is open here,
 * or else if the commit contains work of the session. The checkpoint names such commits, so `why` can find it.
 */

import { contributedFiles } from '../../core/checkpoint/condensation.ts'
import { readCheckpoints } from '../../core/checkpoint/trailers.ts'
import {
  withCommit,
  withFilesTouched,
  withPendingCheckpoint,
} from '../../core/session/change-session.ts'
import { checkpointIdFrom } from '../../core/session/checkpoint-id.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { isOpenTurn } from '../../core/session/session-state.ts'
import { changesOf, messageOf } from '../checkpoint/read-commit.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { ledgerPaths, placeOfRevision } from '../ledger/ledger-sources.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { liveBeside } from '../report/name-session.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { readChains } from '../shadow/shadow-chain.ts'
import { touchedAmong } from '../shadow/shadow-files.ts'
import { mayHaveWritten } from '../shadow/turn-log.ts'
import { followSession } from './follow-session.ts'

/**
 * Call this if HEAD has moved. Returns the same state if there is no such commit. `isShell`: its shell has just
 * run.
 */
export async function followUnseenCommits(
  context: SessionContext,
  state: SessionState,
  isShell: boolean,
): Promise<SessionState> {
  const isAlone = !liveBeside(context, state).some(isOpenTurn)
  const commits = await unseenCommits(context, state, isShell && isAlone)
  if (commits.length === 0) return state
  const files = commits.flatMap((one) => one.files)
  const promised = withPendingCheckpoint(
    withFilesTouched(state, files),
    checkpointIdFrom(context.random(6)),
  )
  const { pendingCheckpoint: checkpoint } = promised
  if (checkpoint === undefined) return state
  const known = commits.reduce(
    (all, { commit }) => withCommit(all, { commit, checkpoint }),
    promised,
  )
  context.log(`session ${state.id}: ${commits.length} commit(s) that no hook followed`)
  return (await followSession(context, known, { type: 'git_commit' })) ?? known
}

interface Unseen {
  readonly commit: string
  /** What the commit contains of the session's work. */
  readonly files: readonly string[]
}

/** Returns commits oldest first. */
async function unseenCommits(
  context: SessionContext,
  state: SessionState,
  isMaker: boolean,
): Promise<Unseen[]> {
  const known = new Set(
    context.sessions.list().sessions.flatMap(({ commits }) => commits.map(({ commit }) => commit)),
  )
  const found: Unseen[] = []
  for (const commit of await context.changes.committedSince(state.base)) {
    if (known.has(commit)) continue
    if (readCheckpoints(await messageOf(context.repository, commit)).length > 0) continue
    const files = await contributedTo(context, state, commit)
    if (isMaker || files.length > 0) found.push({ commit, files })
  }
  return found
}

async function contributedTo(
  context: SessionContext,
  state: SessionState,
  commit: string,
): Promise<string[]> {
  const { changes } = await changesOf(context, commit)
  const chains = await readChains(context, state.worktree.name)
  const isQuiet = !mayHaveWritten(context, state)
  const touched = await touchedAmong(context, chains, state, changes, isQuiet)
  return contributedFiles(touched, changes)
}

/** A message for the agent: a commit without hooks may have left the ledger stale. */
export async function staleLedger({ repository }: SessionContext): Promise<string | undefined> {
  const { root, mode } = await readSettings(repository)
  const head = await placeOfRevision(repository, 'HEAD', root)
  const { fresh, reason } = await freshnessOf(repository.objects, head, mode)
  if (fresh) return undefined
  return (
    `ledger-git: git ran no hooks for this commit, so ${ledgerPaths(root).current} in HEAD is stale (${reason})\n` +
    '  next: ledger-git resolve --commit'
  )
}
