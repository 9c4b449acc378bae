/**
 * Removes one session: its state, and its part of the shadow data including the history.
 *
 * What others need stays: their parts, pending events, checkpoints. To avoid throwing work away by mistake, the
 * command refuses an open turn, commits whose checkpoint is not written, files that exist nowhere else, and shadow data
 * without a state, unless the user insists. The decision is made under the session's lock.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { carryForward, leaveChain } from '../shadow/shadow-moves.ts'
import { isRegularFile } from '../../core/git/objects.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import { isSameText } from '../ledger/event-files.ts'
import { readChains } from '../shadow/shadow-chain.ts'
import { readShadowSession } from '../shadow/shadow-session.ts'
import { withMissedCommits } from './follow-session.ts'
import type { WorktreePort } from '../ports.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { quietly } from '../shadow/session-context.ts'

/** Returns the state, or undefined if there was only shadow data. */
export async function resetSession(
  context: SessionContext,
  id: string,
  { isForced }: { readonly isForced: boolean },
) {
  const result = await context.sessions.change(id, async (before) => {
    const state = before && (await withMissedCommits(context, before))
    if (!isForced) {
      refuseNeeded(id, state)
      await refuseLastCopies(context, id)
    }
    await removeShadow(context, id, state)
    return { state: undefined, result: { id, state } }
  })
  context.log(`session ${id}: reset`)
  return result
}

function refuseNeeded(id: string, state: SessionState | undefined): void {
  const forceCommand = `ledger-git session reset ${id} --force`
  if (state === undefined) {
    const message = `no state of session ${id} is left, only shadow data`
    throw new LedgerError('SESSION_IN_USE', message, recoverFirst(id))
  }
  const { phase, awaiting, lastSignOfLife } = state
  if (awaiting.length > 0) {
    const commits = awaiting.length === 1 ? '1 commit waits' : `${awaiting.length} commits wait`
    const ids = [...new Set(awaiting.map(({ checkpoint }) => checkpoint))].join(', ')
    throw new LedgerError(
      'SESSION_IN_USE',
      `${commits} for a checkpoint of session ${id} (${ids}), which would never be written`,
      `end the agent's turn, or start it again there: that writes it; or give it up: ${forceCommand}`,
    )
  }
  if (phase !== 'active' && phase !== 'active_committed') return
  throw new LedgerError(
    'SESSION_IN_USE',
    `a turn of session ${id} is open (last sign of life: ${lastSignOfLife})`,
    `end it in the agent; if the agent is gone: ${forceCommand}`,
  )
}

function recoverFirst(id: string): string {
  return `ledger-git session recover ${id} --files FOLDER, then ledger-git session reset ${id} --force`
}

/** Refuses if a saved file is gone from its worktree, or has other content there. Links are not compared. */
async function refuseLastCopies(context: SessionContext, id: string): Promise<void> {
  const { repository } = context
  const rescue = await context.rescue()
  const homes = new Map((await rescue.worktrees()).map(({ name, path }) => [name, path]))
  const { chains } = await readChains(context)
  const found = new Set<string>()
  for (const { record, sessions } of chains) {
    const home = homes.get(record.worktree)
    const worktree = home === undefined ? undefined : rescue.open(home)
    for (const [path, { oid, mode }] of (await readShadowSession(context, sessions.get(id)))
      .files) {
      if (!isRegularFile(mode)) continue
      const saved = await repository.objects.read(oid)
      const now = await worktree?.readBytesName(nameOfPath(path))
      if (saved?.type !== 'blob' || isSameText(now, saved.content)) continue
      // git's filters may store something else than the worktree has.
      const hashed =
        now && (await quietly(context, `session ${id}: not hashed`, () => hashOf(path, worktree)))
      if (hashed !== oid) found.add(path)
    }
  }
  if (found.size === 0) return
  const [first = ''] = found
  const message =
    found.size === 1
      ? `1 file of session ${id} exists nowhere else: ${first}`
      : `${found.size} files of session ${id} exist nowhere else: ${first} and ${found.size - 1} more`
  throw new LedgerError('SESSION_IN_USE', message, recoverFirst(id))
}

/** As git would store it. A name with a line break cannot be passed to git. */
async function hashOf(path: string, worktree?: WorktreePort): Promise<string | undefined> {
  if (path.includes('\n')) return undefined
  return (await worktree?.hashFiles([nameOfPath(path)], false))?.[0]
}

/**
 * Removes the part from the chain at its base and from all other chains: a session may have moved between
 * worktrees.
 */
async function removeShadow(
  context: SessionContext,
  id: string,
  state: SessionState | undefined,
): Promise<void> {
  if (state !== undefined) await carryForward(context, state, { base: state.base, files: [] })
  const { chains } = await readChains(context)
  for (const { record, sessions } of chains) {
    if (sessions.has(id)) await leaveChain(context, record, id, record, true)
  }
}
