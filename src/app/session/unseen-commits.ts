/**
 * Commits that no git hook followed: some agents run git without its hooks, so that no trailer is written
 * and nobody hears of the commit. After what may have made one, HEAD is compared with where the session
 * knows it to be. What git's reflog says was committed since then is the session's where its own shell just
 * ran and no other turn is open here, else where it has work of the session in it. The checkpoint names the
 * commits; `why` finds it by that.
 */

import { contributedFiles } from '../../core/checkpoint/condensation.ts'
import { readCheckpoints } from '../../core/checkpoint/trailers.ts'
import { withCommit, withPendingCheckpoint } from '../../core/session/change-session.ts'
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

/** HEAD has moved. The same state where there is no such commit. `isShell`: its shell just ran. */
export async function followUnseenCommits(
  context: SessionContext,
  state: SessionState,
  isShell: boolean,
): Promise<SessionState> {
  const isAlone = !liveBeside(context, state).some(isOpenTurn)
  const commits = await unseenCommits(context, state, isShell && isAlone)
  if (commits.length === 0) return state
  const promised = withPendingCheckpoint(state, checkpointIdFrom(context.random(6)))
  const { pendingCheckpoint: checkpoint } = promised
  if (checkpoint === undefined) return state
  const known = commits.reduce((all, commit) => withCommit(all, { commit, checkpoint }), promised)
  context.log(`session ${state.id}: ${commits.length} commit(s) that no hook followed`)
  return (await followSession(context, known, { type: 'git_commit' })) ?? known
}

/** Oldest first. */
async function unseenCommits(
  context: SessionContext,
  state: SessionState,
  isMaker: boolean,
): Promise<string[]> {
  const known = new Set(
    context.sessions.list().sessions.flatMap(({ commits }) => commits.map(({ commit }) => commit)),
  )
  const found: string[] = []
  for (const commit of await context.changes.committedSince(state.base)) {
    if (known.has(commit)) continue
    if (readCheckpoints(await messageOf(context.repository, commit)).length > 0) continue
    if (isMaker || (await hasPart(context, state, commit))) found.push(commit)
  }
  return found
}

async function hasPart(
  context: SessionContext,
  state: SessionState,
  commit: string,
): Promise<boolean> {
  const { changes } = await changesOf(context, commit)
  const chains = await readChains(context, state.worktree.name)
  const isQuiet = !mayHaveWritten(context, state)
  const touched = await touchedAmong(context, chains, state, changes, isQuiet)
  return contributedFiles(touched, changes).length > 0
}

/** What the agent is to know of such a commit: without hooks it may have left the ledger stale. */
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
