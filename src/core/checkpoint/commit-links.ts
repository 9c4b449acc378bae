/**
 * Which sessions a commit is linked to, and by which checkpoint ids.
 *
 * A commit belongs to the session that made it, not to the first active one. That session is identified by its
 * process, else by the files. Every session with work in the commit is linked to it. Sessions that promised
 * different ids to earlier commits keep them, so that every trailer leads to a checkpoint; all others share one
 * id, and one checkpoint.
 */

import { compareBytes } from '../event/event.ts'
import { parseInstant } from '../event/instant.ts'
import type { CheckpointId } from '../session/checkpoint-id.ts'
import type { FileChange, FileVersion } from './condensation.ts'
import { contributedFiles } from './condensation.ts'
import type { SessionState } from '../session/session-state.ts'
import { isOpenTurn } from '../session/session-state.ts'

/** A session in the worktree of the commit. */
export interface LinkCandidate extends Pick<
  SessionState,
  'id' | 'phase' | 'pendingCheckpoint' | 'lastSignOfLife'
> {
  readonly isTimedOut: boolean
  readonly touched: readonly FileVersion[]
}

/**
 * Who runs `git commit`: a session (its process is an ancestor, or the environment names it), an agent whose
 * session is unknown, or anybody.
 */
export type Maker =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'agent' }
  | { readonly kind: 'anybody' }

/**
 * The session that runs a process; `above`: the pids of its ancestors, nearest first. One agent process may have
 * several sessions, for example after its context was cleared. An active session is then preferred, then one of
 * the process's worktree, then the one with the latest sign of life.
 */
export function sessionAbove(
  sessions: readonly SessionState[],
  above: readonly number[],
  worktree: string,
): SessionState | undefined {
  const place = ({ owner }: SessionState) => (owner === undefined ? -1 : above.indexOf(owner.pid))
  const rank = (one: SessionState) =>
    2 * Number(isOpenTurn(one)) + Number(one.worktree.name === worktree)
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
  /** The session with the largest part comes first. */
  readonly links: readonly CommitLink[]
  /** Why there are no links. */
  readonly unlinked: 'no-session' | 'no-common-file' | 'several-agents' | undefined
}

/**
 * Plans the links of a commit that is about to be made. `fresh` is the id to use if no session has promised one;
 * it must be saved in the session states before it is written into the message.
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
  const active = isUnknownAgent ? parts.filter(({ session }) => isActive(session)) : []
  if (active.length > 1) return { links: [], unlinked: 'several-agents' }
  const linked = [...found, ...active].map(({ session }) => session)
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

/** Sorts by: the maker, active sessions, number of files, latest sign of life, id. */
function byPart(a: Part, b: Part): number {
  return (
    Number(b.isMaker) - Number(a.isMaker) ||
    Number(isActive(b.session)) - Number(isActive(a.session)) ||
    b.files - a.files ||
    compareBytes(instantOf(b.session), instantOf(a.session)) ||
    compareBytes(a.session.id, b.session.id)
  )
}

function instantOf({ lastSignOfLife }: Pick<LinkCandidate, 'lastSignOfLife'>): string {
  return parseInstant(lastSignOfLife)?.instant ?? ''
}

function isActive(session: LinkCandidate): boolean {
  return !session.isTimedOut && isOpenTurn(session)
}

/**
 * The sessions that a commit is linked to, by the ids in its trailers. The phase machine gets a `git_commit` for
 * them, and one with `isForeign` for all other sessions. If several sessions share a pending id (all contributed
 * to an earlier commit), only those that contributed to this commit (`hasPart`) are linked, if there are any.
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
