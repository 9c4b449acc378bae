/** Commits, as use cases need them: reading, merging and creating them, and marking commits in progress. */

import type { Blobs, CommitMark, EventCopy } from '../../core/commit/commit-mark.ts'
import type { ProcessIdentity } from '../../core/session/session-state.ts'
import type { ByteName, PathText } from '../../core/git/objects.ts'

export interface Head {
  /** Full commit id; undefined before the first commit. */
  readonly oid: string | undefined
  /** Short branch name; undefined on a detached HEAD. */
  readonly branch: string | undefined
}

export interface WorkSince {
  readonly commits: number | undefined
  /** Files that have changed since then, untracked ones included. */
  readonly files: readonly string[]
}

export interface HistoryPort {
  head(): Promise<Head>
  /** Work since a commit last changed a file; `commits` is undefined if no commit ever did. */
  workSince(path: PathText): Promise<WorkSince>
  /** The remote's default branch, otherwise a branch with a usual default name. Never a feature branch. */
  defaultBranch(): Promise<string | undefined>
  /** Local branches, then remote-tracking ones (`origin/main`), in git's order. */
  branchNames(): Promise<string[]>
  /** Regular files at these paths in a commit; empty if `revision` is not a commit. */
  blobsAt(revision: string, paths: readonly PathText[]): Promise<Blobs>
  /** What last moved HEAD, in git's words; undefined if git keeps no reflog. */
  lastMove(): Promise<string | undefined>
  /** Whether `MERGE_HEAD` is git's own: a merge is in progress. */
  isMerging(): Promise<boolean>
  /** Full commit id for a user's word. Throws `REVISION_UNKNOWN`. */
  resolve(revision: string): Promise<string>
  /** Commits of `A..B` (or any range git understands), oldest first. Throws `REVISION_UNKNOWN`. */
  range(range: string): Promise<string[]>
  /** Those of these commits that are reachable from no ref and no worktree's HEAD; empty if git cannot tell. */
  unreachable(commits: readonly string[]): Promise<string[]>
  /** Those of these paths that are in the history of a branch, a tag, the stash or a worktree's HEAD. */
  reachable(paths: readonly ByteName[]): Promise<ByteName[]>
  /** The commit that added each path below `folder`, by path. */
  additions(folder: PathText): Promise<Map<string, CommitInfo>>
  /** post-rewrite: where the branch was before the rebase that is ending. */
  beforeRebase(): string
  /** Paths below `folders` that merge commits of `range` added, so that none of their parents has them. */
  addedByMerges(range: string, folders: readonly PathText[]): Promise<ByteName[]>
  /**
   * The result of merging `theirs` into `ours`, without touching index or worktree. With `ledger: false`, `current.md`
   * stays in conflict and no event is read; otherwise everything is as in `git merge`.
   */
  mergeTrees(ours: string, theirs: string, options: { ledger: boolean }): Promise<MergeAnswer>
}

export interface MergeAnswer {
  /** Undefined if git could not merge at all. */
  readonly tree: string | undefined
  readonly isClean: boolean
  /** Paths that are in conflict. */
  readonly conflicts: readonly ByteName[]
  /** What git and the drivers said. */
  readonly said: string
}

export interface CommitInfo {
  readonly oid: string
  readonly subject: string
}

/** The reason that `advance` returns if it gives up before it calls `prepare`. */
export const MOVED = 'the branch is locked, or moved meanwhile'

export interface HookAnswer {
  /** The message as `commit-msg` left it. */
  readonly message: string
  /** Which hook refused, with its last lines of output. */
  readonly refusal: string | undefined
}

/** What the ledger's own commits need. The user's hooks do not run, except in `askHooks`. */
export interface CommitPort {
  /** True if git signs commits here. */
  areSigned(): Promise<boolean>
  /** The rebase, merge or similar operation in progress, in a few words. */
  sequence(): Promise<string | undefined>
  create(tree: string, parent: string | undefined, message: string): Promise<string>
  /** Runs the user's own hooks as `git commit` would, which may change the index and the message. */
  askHooks(message: string): Promise<HookAnswer>
  /** This process. */
  self(): ProcessIdentity | undefined
  /** What another git process is doing that may move HEAD, in a few words. */
  gitAtWork(): string | undefined
  /**
   * Moves HEAD's branch by compare-and-swap. Once the branch is locked, `prepare` returns a reason not to go on, or
   * undefined. Returns the reason why the branch was not moved.
   */
  advance(
    commit: string,
    from: string,
    reason: string,
    prepare: () => Promise<string | undefined>,
  ): Promise<string | undefined>
}

/** Marks of commits in progress in this worktree. */
export interface MarkStore {
  /** Read whenever a repository is opened, so it only costs a look at a folder. */
  readonly isEmpty: boolean
  list(): readonly CommitMark[]
  /** An id that no other process uses. */
  newId(): string
  /** Writes a new mark with the present time. */
  save(mark: NewMark): CommitMark
  /** Overwrites an existing mark. */
  replace(mark: CommitMark): void
  remove(id: string): void
  /** `isNewCommit`: another commit begins here, so a commit whose process is unknown is over. */
  isAtWork(mark: CommitMark, options?: { isNewCommit: boolean }): boolean
  /** True if HEAD has moved since, according to its reflog. */
  hasHeadMoved(mark: CommitMark): boolean
  /** Keeps a copy of an event until a branch has it, because git may delete what was staged. Best effort. */
  keep(event: Omit<EventCopy, 'oid'>): void
  /** Copies that were kept this way and not forgotten since. */
  kept(): readonly EventCopy[]
  /** Forgets kept events that a branch now has. */
  forget(paths: readonly ByteName[]): void
  /** All copies of events: kept ones, and those of commits for which it is not settled yet whether they were made. */
  copies(): readonly EventCopy[]
  /** Forgets all copies of a path, which is relative to the top of the repository. */
  dropCopy(path: PathText): void
}

export type NewMark = Omit<CommitMark, 'writtenAt' | 'headLog'>
