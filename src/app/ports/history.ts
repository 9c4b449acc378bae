/** Commits, as use cases need them: read, merged, made, and marked while they are at work. */

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
  /** Files that are not what they were then, untracked ones too. */
  readonly files: readonly string[]
}

export interface HistoryPort {
  head(): Promise<Head>
  /** What was done since a commit last changed a file; `commits` is undefined where none ever did. */
  workSince(path: PathText): Promise<WorkSince>
  /** The remote's default branch, else one that bears such a name. Never some feature branch. */
  defaultBranch(): Promise<string | undefined>
  /** Branches, then those of remotes (`origin/main`), in git's order. */
  branchNames(): Promise<string[]>
  /** Regular files at these paths in a commit; none where it is not one. */
  blobsAt(revision: string, paths: readonly PathText[]): Promise<Blobs>
  /** What moved HEAD last, in git's words; undefined where git keeps no log of it. */
  lastMove(): Promise<string | undefined>
  /** Whether `MERGE_HEAD` is git's own: a merge is in progress. */
  isMerging(): Promise<boolean>
  /** Full commit id for a user's word. Throws `REVISION_UNKNOWN`. */
  resolve(revision: string): Promise<string>
  /** Commits of `A..B` (or any range git understands), oldest first. Throws `REVISION_UNKNOWN`. */
  range(range: string): Promise<string[]>
  /** Of these commits those that no ref and no worktree's HEAD leads to; none where git cannot tell. */
  unreachable(commits: readonly string[]): Promise<string[]>
  /** Of these paths those that a branch, a tag, the stash or a worktree's HEAD has, or had on its way. */
  reachable(paths: readonly ByteName[]): Promise<ByteName[]>
  /** The commit that added each path below `folder`, by path. */
  additions(folder: PathText): Promise<Map<string, CommitInfo>>
  /** post-rewrite: where the branch stood before the rebase that ends. */
  beforeRebase(): string
  /** Paths below `folders` that merge commits of `range` added: none of their parents has them. */
  addedByMerges(range: string, folders: readonly PathText[]): Promise<ByteName[]>
  /**
   * What merging `theirs` into `ours` gives, without touching index or worktree. With `ledger: false` its
   * `current.md` stays in conflict, and no event is read; else all is as in `git merge`.
   */
  mergeTrees(ours: string, theirs: string, options: { ledger: boolean }): Promise<MergeAnswer>
}

export interface MergeAnswer {
  /** Undefined when git could not merge at all. */
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

/** Why `advance` gave up before it asked. */
export const MOVED = 'the branch is locked, or moved meanwhile'

export interface HookAnswer {
  /** As `commit-msg` left it. */
  readonly message: string
  /** Which hook said no, with its last words. */
  readonly refusal: string | undefined
}

/** What the ledger's own commits need. User hooks do not run. */
export interface CommitPort {
  /** Why a commit is not safe just now, in a few words; undefined when it is. */
  obstacle(): Promise<string | undefined>
  /** The rebase, merge or the like that is in progress, in a few words. */
  sequence(): Promise<string | undefined>
  create(tree: string, parent: string | undefined, message: string): Promise<string>
  /** Runs the user's own hooks as `git commit` would, which may change the index and the message. */
  askHooks(message: string): Promise<HookAnswer>
  /** This process. */
  self(): ProcessIdentity | undefined
  /** What a git of somebody else is doing that may move HEAD, in a few words. */
  gitAtWork(): string | undefined
  /**
   * Moves HEAD's branch by compare-and-swap. Once the branch is locked, `prepare` decides: a reason not
   * to go on, or undefined. Returns the reason why the branch was not moved.
   */
  advance(
    commit: string,
    from: string,
    reason: string,
    prepare: () => Promise<string | undefined>,
  ): Promise<string | undefined>
}

/** Marks of commits at work in this worktree. */
export interface MarkStore {
  /** Asked by everything that opens a repository: one look at a folder. */
  readonly isEmpty: boolean
  list(): readonly CommitMark[]
  /** An id that no other process uses. */
  newId(): string
  /** Writes a mark of now. */
  save(mark: NewMark): CommitMark
  /** Writes one that was read, as it is now. */
  replace(mark: CommitMark): void
  remove(id: string): void
  /** `isNewCommit`: another commit begins here, so one that cannot be judged is over. */
  isAtWork(mark: CommitMark, options?: { isNewCommit: boolean }): boolean
  /** True when HEAD has moved since, as far as git keeps a log of it. */
  hasHeadMoved(mark: CommitMark): boolean
  /** Keeps an event until a branch has it: git may delete what was staged. Best effort. */
  keep(event: Omit<EventCopy, 'oid'>): void
  /** What was kept so, and nobody has forgotten. */
  kept(): readonly EventCopy[]
  /** Forgets kept events, which a branch has now. */
  forget(paths: readonly ByteName[]): void
  /** All copies of events: kept, or of commits until it is settled whether they were made. */
  copies(): readonly EventCopy[]
  /** Forgets all copies of one path, which is from the top of the repository. */
  dropCopy(path: PathText): void
}

export type NewMark = Omit<CommitMark, 'writtenAt' | 'headLog'>
