/**
 * What a commit takes of a session's files, what stays for a later commit, and what becomes of the
 * session: the rules of condensation.
 *
 * A session is known by the versions of files that it left behind, a commit by the versions that it
 * holds. Nothing here knows who ran `git commit`; `commit-links.ts` does.
 */

import type { Phase } from '../session/phase.ts'

/** A file as somebody left it: the id of its blob, or undefined where it is gone. */
export interface FileVersion {
  readonly path: string
  readonly blob: string | undefined
}

/** A commit against its (first) parent. */
export interface CommitFiles {
  /** What the commit changed, with the version that it holds. */
  readonly changed: readonly FileVersion[]
  /** What the parent held, at least at every path in question; a path that is not here was not there. */
  readonly parent: readonly FileVersion[]
}

/**
 * Paths where the commit has work of the session in it.
 *
 * A file that existed counts whatever its content is: people touch up and commit in parts. A new file
 * counts only as the session left it: under the same name may be somebody else's. A deletion counts as
 * a deletion only, and a file that the session put back as it was is no work.
 */
export function contributedFiles(touched: readonly FileVersion[], commit: CommitFiles): string[] {
  const changed = byPath(commit.changed)
  const parent = byPath(commit.parent)
  const paths = [...byPath(touched).entries()].filter(([path, mine]) => {
    if (!changed.has(path)) return false
    const [before, after] = [parent.get(path), changed.get(path)]
    if (before === mine) return false
    if (before === undefined) return after === mine
    return (after === undefined) === (mine === undefined)
  })
  return paths.map(([path]) => path)
}

/** What the session touched and the commit does not hold as it left it: the next commit may. */
export function carriedForward(
  touched: readonly FileVersion[],
  commit: CommitFiles,
): FileVersion[] {
  const held = new Map([...byPath(commit.parent), ...byPath(commit.changed)])
  return [...byPath(touched).entries()]
    .filter(([path, mine]) => held.get(path) !== mine)
    .map(([path, blob]) => ({ path, blob }))
}

/**
 * Paths where a commit of what is there now, in the index or in the worktree, would have work of the
 * session in it. None: it was thrown away, or is committed already.
 */
export function committableFiles(
  touched: readonly FileVersion[],
  places: readonly (readonly FileVersion[])[],
  head: readonly FileVersion[],
): string[] {
  const held = byPath(head)
  const found = places.flatMap((place) => {
    const changed = place.filter(({ path, blob }) => held.get(path) !== blob)
    return contributedFiles(touched, { changed, parent: head })
  })
  return [...new Set(found)]
}

/** Later versions replace earlier ones of the same path. */
function byPath(files: readonly FileVersion[]): Map<string, string | undefined> {
  return new Map(files.map(({ path, blob }) => [path, blob]))
}

/**
 * - `condense`: its data belongs to a checkpoint. An open turn's is written when the turn ends.
 * - `include`: it changed nothing here; what it has so far goes along into the commit's checkpoint,
 *   for the context it may carry. Nothing of its state changes.
 * - `keep`: it is over, but has files that this commit lacks: a later one may hold them.
 * - `discard`: it is over and nothing came of it.
 */
export type Verdict = 'condense' | 'include' | 'keep' | 'discard'

export interface Candidate {
  readonly phase: Phase
  /** As of now (`isTimedOut`): then it counts as ended. */
  readonly isTimedOut: boolean
  /** It has a part in this commit: work in it, or it made it. */
  readonly hasPart: boolean
  /** It has files that no checkpoint holds yet. */
  readonly touchedFiles: boolean
  /** Commits carry its pending id, or may (`owes`): a trailer must lead somewhere. */
  readonly hasPromised: boolean
}

/** What a commit means for a session of its worktree. */
export function judge(candidate: Candidate): Verdict {
  const isOver = candidate.phase === 'ended' || candidate.isTimedOut
  if (candidate.hasPart || (isOver && candidate.hasPromised)) return 'condense'
  if (!isOver) return 'include'
  return candidate.touchedFiles ? 'keep' : 'discard'
}
