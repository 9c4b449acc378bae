/**
 * Which sessions a commit is linked to, and by which checkpoint ids.
 *
 * A commit belongs to the session that made it, not to the first active one: who made it is known by
 * its process, else by the files. Every session with work in the commit has a part in it. Sessions that
 * promised different ids to earlier commits keep them, so that no trailer leads nowhere; all others
 * share one id, and one checkpoint.
 */

import { compareBytes } from '../event/event.ts'
import { parseInstant } from '../event/instant.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'
import type { FileChange, FileVersion } from './condensation.ts'
import { contributedFiles } from './condensation.ts'
import type { SessionState } from '../session/session-state.ts'

/** A session of the worktree that the commit is made in. */
export interface LinkCandidate extends Pick<
  SessionState,
  'id' | 'phase' | 'pendingCheckpoint' | 'lastSignOfLife'
> {
  readonly isTimedOut: boolean
  readonly touched: readonly FileVersion[]
}

/**
 * Who runs `git commit`: a session whose process is an ancestor of it (or that its environment names),
 * some agent of which no more is known, or anybody.
 */
export type Maker =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'agent' }
  | { readonly kind: 'anybody' }

/**
 * The session that runs a process: `above` has the pids above it, nearest first. One process may have
 * several sessions, such as an agent whose context was cleared: then it is the one at work, then one of
 * the worktree in which the process runs, then the one with the later sign of life.
 */
export function sessionAbove(
  sessions: readonly SessionState[],
  above: readonly number[],
  worktree: string,
): SessionState | undefined {
  const place = ({ owner }: SessionState) => (owner === undefined ? -1 : above.indexOf(owner.pid))
  const rank = (one: SessionState) =>
    2 * Number(one.phase.startsWith('active')) + Number(one.worktree.name === worktree)
  const [first] = sessions
    .filter((one) => place(one) !== -1)
    .sort(
      (a, b) =>
        place(a) - place(b) ||
        rank(b) - rank(a) ||
        compareBytes(instantOf(b), instantOf(a)) ||
        compareBytes(a.id, b.id),
    )
  return first
}

export interface CommitLink {
  readonly session: string
  readonly checkpoint: CheckpointId
}

export interface LinkPlan {
  /** The first is the session's that has the greatest part. */
  readonly links: readonly CommitLink[]
  /** Why there is none. */
  readonly unlinked: 'no-session' | 'no-common-file' | 'several-agents' | undefined
}

/**
 * Plans the links of a commit that is about to be made. `fresh` is the id to use where no session has
 * promised one; it must be saved to the states before the message can carry it.
 */
export function planLinks(
  candidates: readonly LinkCandidate[],
  changes: readonly FileChange[],
  maker: Maker,
  fresh: CheckpointId,
): LinkPlan {
  if (candidates.length === 0) return { links: [], unlinked: 'no-session' }
  const parts = candidates.map((session) => ({
    session,
    files: contributedFiles(session.touched, changes).length,
    isMaker: maker.kind === 'session' && session.id === maker.id,
  }))
  const found = parts.filter(({ files, isMaker }) => isMaker || files > 0).sort(byPart)
  const isUnknownAgent = found.length === 0 && maker.kind === 'agent'
  const atWork = isUnknownAgent ? parts.filter(({ session }) => isAtWork(session)) : []
  if (atWork.length > 1) return { links: [], unlinked: 'several-agents' }
  const linked = [...found, ...atWork].map(({ session }) => session)
  const shared = linked[0]?.pendingCheckpoint ?? fresh
  const links = linked.map(({ id, pendingCheckpoint }) => ({
    session: id,
    checkpoint: pendingCheckpoint ?? shared,
  }))
  return { links, unlinked: links.length === 0 ? 'no-common-file' : undefined }
}

interface Part {
  readonly session: LinkCandidate
  readonly files: number
  readonly isMaker: boolean
}

/** The maker, then who is at work, then more files, then the later sign of life, then the id. */
function byPart(a: Part, b: Part): number {
  return (
    Number(b.isMaker) - Number(a.isMaker) ||
    Number(isAtWork(b.session)) - Number(isAtWork(a.session)) ||
    b.files - a.files ||
    compareBytes(instantOf(b.session), instantOf(a.session)) ||
    compareBytes(a.session.id, b.session.id)
  )
}

function instantOf({ lastSignOfLife }: Pick<LinkCandidate, 'lastSignOfLife'>): string {
  return parseInstant(lastSignOfLife)?.instant ?? ''
}

function isAtWork({ phase, isTimedOut }: LinkCandidate): boolean {
  return !isTimedOut && (phase === 'active' || phase === 'active_committed')
}

/**
 * Which sessions a commit is linked to, by the ids of its trailers: for these the phase machine gets a
 * `git_commit`, for all others one with `isForeign`. A pending id that several sessions share (they had
 * parts in an earlier commit) links only those of them with a part in this one (`hasPart`), if any has.
 */
export function linkedSessions(
  ids: readonly CheckpointId[],
  sessions: readonly (LinkCandidate & { readonly hasPart: boolean })[],
): ReadonlySet<string> {
  const claimed = new Set(sessions.filter((one) => one.hasPart).map((one) => one.pendingCheckpoint))
  const linked = sessions.filter(({ hasPart, pendingCheckpoint: id }) => {
    return id !== undefined && ids.includes(id) && (hasPart || !claimed.has(id))
  })
  return new Set(linked.map(({ id }) => id))
}
