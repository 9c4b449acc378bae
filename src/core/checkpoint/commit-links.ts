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
import type { CommitFiles, FileVersion } from './condensation.ts'
import { contributedFiles } from './condensation.ts'
import type { Phase } from '../session/phase.ts'
import type { SessionState } from '../session/session-state.ts'

/** A session of the worktree that the commit is made in. */
export interface LinkCandidate {
  readonly id: string
  readonly phase: Phase
  readonly isTimedOut: boolean
  readonly pendingCheckpoint: CheckpointId | undefined
  readonly lastCheckpoint: CheckpointId | undefined
  /** ISO 8601. */
  readonly lastSignOfLife: string
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
  /** `made`: it ran the commit. `files`: its work is in it. */
  readonly because: 'made' | 'files'
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
  commit: CommitFiles,
  maker: Maker,
  fresh: CheckpointId,
): LinkPlan {
  if (candidates.length === 0) return { links: [], unlinked: 'no-session' }
  const parts = candidates
    .map((session) => ({ session, files: contributedFiles(session.touched, commit).length }))
    .map((part) => ({ ...part, isMaker: maker.kind === 'session' && part.session.id === maker.id }))
  const found = parts.filter(({ files, isMaker }) => isMaker || files > 0).sort(byPart)
  if (found.length > 0) return { links: linksOf(found, fresh), unlinked: undefined }
  if (maker.kind !== 'agent') return { links: [], unlinked: 'no-common-file' }
  const live = parts.filter(({ session }) => isAtWork(session))
  if (live.length > 1) return { links: [], unlinked: 'several-agents' }
  const [only] = live
  if (only === undefined) return { links: [], unlinked: 'no-common-file' }
  return { links: linksOf([{ ...only, isMaker: true }], fresh), unlinked: undefined }
}

interface Part {
  readonly session: LinkCandidate
  readonly files: number
  readonly isMaker: boolean
}

function linksOf(parts: readonly Part[], fresh: CheckpointId): CommitLink[] {
  const shared = parts[0]?.session.pendingCheckpoint ?? fresh
  return parts.map(({ session, isMaker }) => ({
    session: session.id,
    checkpoint: session.pendingCheckpoint ?? shared,
    because: isMaker ? 'made' : 'files',
  }))
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
 * What a commit that was made is to a session.
 *
 * - `linked`: it carries the pending id: the session's phase machine gets a `git_commit`.
 * - `amended`: it carries the id of the last checkpoint, which exists: nothing to condense again.
 * - `foreign`: neither, or the trailer was taken out: a `git_commit` with `isForeign`.
 */
export type CommitKind = 'linked' | 'amended' | 'foreign'

/**
 * Reads the ids of the commit's trailers back. A pending id that several sessions share (they had parts
 * in an earlier commit) links only those of them with a part in this one (`hasPart`), if any has.
 */
export function commitKinds(
  ids: readonly CheckpointId[],
  sessions: readonly (LinkCandidate & { readonly hasPart: boolean })[],
): Map<string, CommitKind> {
  const has = (id: CheckpointId | undefined) => id !== undefined && ids.includes(id)
  const claimed = new Set(sessions.filter((one) => one.hasPart).map((one) => one.pendingCheckpoint))
  return new Map(
    sessions.map((one): [string, CommitKind] => {
      const isLinked = one.hasPart || !claimed.has(one.pendingCheckpoint)
      if (has(one.pendingCheckpoint) && isLinked) return [one.id, 'linked']
      return [one.id, has(one.lastCheckpoint) ? 'amended' : 'foreign']
    }),
  )
}
