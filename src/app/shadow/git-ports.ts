/** What shadow data and checkpoints need from git, as types. `io/git/` implements them. */

import type { FileChange } from '../../core/checkpoint/condensation.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { WorktreePort } from '../ports.ts'

/** A file as git would store it. A submodule has mode `160000` and its commit's id. */
export interface StoredFile {
  readonly mode: string
  readonly oid: string
}

/** A file of the worktree that is not what HEAD has. */
export interface DifferingFile {
  readonly path: ByteName
  /** Nobody staged it: no commit of this index would have it. */
  readonly isNew: boolean
}

/** Files as git would store them, outside of the repository until somebody writes them there. */
export interface TakenFiles {
  /** In the order asked for; undefined where there is none, or none that can be read. */
  readonly files: readonly (StoredFile | undefined)[]
  contents(oids: readonly string[]): Promise<(Uint8Array | undefined)[]>
  dispose(): void
}

/** Files of the current worktree, named from its top. */
export interface WorktreeFilesPort {
  /**
   * What differs from HEAD, staged or not, deleted or untracked; ignored files and repositories that are no
   * submodules never.
   */
  differing(): Promise<DifferingFile[]>
  /** Those that git ignores; a tracked file is not ignored. */
  ignored(paths: readonly ByteName[]): Promise<ByteName[]>
  /**
   * Sizes of files, links and repositories; undefined for folders, devices, and what lies behind a link or
   * in another repository.
   */
  look(paths: readonly ByteName[]): Promise<(number | undefined)[]>
  take(paths: readonly ByteName[]): Promise<TakenFiles>
}

export interface RestoredFile {
  readonly path: ByteName
  readonly mode: string
  readonly content: Uint8Array
}

/** What bringing back needs. */
export interface RescuePort {
  /** Worktrees whose folder is there. */
  worktrees(): Promise<{ readonly name: string; readonly path: string }[]>
  /** By its name: false when it was removed. One whose folder is out of reach just now is known. */
  knows(worktree: string): boolean
  open(worktree: string): WorktreePort
  /** Blobs that commits of any branch, local or remote-tracking, brought into a folder. */
  committedBlobs(folder: string): Promise<ReadonlySet<string>>
  /** Creates files below a folder; false for each that would replace something, or go through a link. */
  restore(folder: string, files: readonly RestoredFile[]): Promise<boolean[]>
}

export interface ChangesPort {
  /** The index that `GIT_INDEX_FILE` names, against a tree. */
  ofIndex(tree: string): Promise<readonly FileChange[]>
  between(from: string, to: string): Promise<readonly FileChange[]>
  /** Commits of HEAD and all branches that have this text in their message and are not before `base`. */
  saying(text: string, base: string | undefined): Promise<readonly string[]>
  /** True where a remote-tracking branch has the commit. */
  isOnRemote(commit: string): Promise<boolean>
  /** The worktree as `git status --short` has it, untracked files one by one. */
  status(): Promise<readonly { readonly code: string; readonly path: string }[]>
  /** First and last changed line of each of these files against HEAD, as the files are now. */
  linesAtWork(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Commits that were made in this worktree since HEAD was last at `base`, and are still in it, oldest
   * first, as git's reflog has them; not those of merges, rebases and the like, nor what was fetched.
   */
  committedSince(base: string | undefined): Promise<readonly string[]>
}

/**
 * - `new`: the remote has no such branch. `forward`: it is behind, or was. `same`: nothing to do.
 * - `rejected`: it has commits that are not in what was pushed.
 */
export type PushAnswer =
  | { readonly kind: 'new' | 'forward' | 'same' | 'rejected' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * One ref of one remote: no hooks, no questions, no longer than asked, and never longer than the
 * process itself. `remote`: a name or a URL, as git gave it to the hook.
 */
export interface CheckpointRemote {
  /** `isTrial`: asks the remote and changes nothing, neither there nor here. */
  push(
    remote: string,
    commit: string,
    ref: string,
    options: { readonly isTrial: boolean; readonly timeout: number },
  ): Promise<PushAnswer>
  /** Fetches the remote's `ref` into the local ref `into`. A reason when it could not. */
  fetch(remote: string, ref: string, into: string, timeout: number): Promise<string | undefined>
}
