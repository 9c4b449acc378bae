/** What shadow data and checkpoints need from git, as types. `io/git/` implements them. */

import type { FileChange } from '../../core/checkpoint/condensation.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { WorktreePort } from '../ports.ts'

/** A file as git would store it. A submodule has mode `160000` and its commit's id. */
export interface StoredFile {
  readonly mode: string
  readonly oid: string
}

/** A worktree file that differs from HEAD. */
export interface DifferingFile {
  readonly path: ByteName
  /** Untracked: a commit of this index would not have it. */
  readonly isNew: boolean
}

/** Files as git would store them, kept outside the repository until they are written to it. */
export interface TakenFiles {
  /** In the requested order; undefined for a file that does not exist or cannot be read. */
  readonly files: readonly (StoredFile | undefined)[]
  contents(oids: readonly string[]): Promise<(Uint8Array | undefined)[]>
  dispose(): void
}

/** Files of the current worktree; paths are relative to its top. */
export interface WorktreeFilesPort {
  /**
   * Files that differ from HEAD: staged or not, deleted or untracked. Never ignored files, nor nested repositories that
   * are not submodules.
   */
  differing(): Promise<DifferingFile[]>
  /** The paths that git ignores; a tracked file is not ignored. */
  ignored(paths: readonly ByteName[]): Promise<ByteName[]>
  /**
   * Sizes of files, links and repositories; undefined for folders, devices, and paths behind a link or in another
   * repository.
   */
  look(paths: readonly ByteName[]): Promise<(number | undefined)[]>
  /**
   * The paths that changed after a time, in Unix milliseconds. A missing file counts as changed if its folder did, or
   * the first folder above that exists.
   */
  changedSince(paths: readonly ByteName[], millis: number): Promise<ByteName[]>
  take(paths: readonly ByteName[]): Promise<TakenFiles>
}

export interface RestoredFile {
  readonly path: ByteName
  readonly mode: string
  readonly content: Uint8Array
}

/** What recovery needs. */
export interface RescuePort {
  /** Worktrees whose folder exists. */
  worktrees(): Promise<{ readonly name: string; readonly path: string }[]>
  open(worktree: string): WorktreePort
  /** Blobs that commits of any branch, local or remote-tracking, brought into a folder. */
  committedBlobs(folder: string): Promise<ReadonlySet<string>>
  /** Creates files below a folder; false for each file that would replace something or go through a link. */
  restore(folder: string, files: readonly RestoredFile[]): Promise<boolean[]>
}

export interface ChangesPort {
  /** Compares the index that `GIT_INDEX_FILE` names with a tree. */
  ofIndex(tree: string): Promise<readonly FileChange[]>
  between(from: string, to: string): Promise<readonly FileChange[]>
  /** Commits of HEAD and all branches whose message contains this text, except `base` and its ancestors. */
  saying(text: string, base: string | undefined): Promise<readonly string[]>
  /** True if a remote-tracking branch has the commit. */
  isOnRemote(commit: string): Promise<boolean>
  /** The worktree as `git status --short` shows it, with untracked files listed one by one. */
  status(): Promise<readonly { readonly code: string; readonly path: string }[]>
  /** For each of these files, the first and last line that differ from HEAD, as the files are now. */
  linesAtWork(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Commits made in this worktree since HEAD was last at `base` that HEAD still contains, according to git's reflog,
   * oldest first. Excludes commits made by merges, rebases and similar, and fetched commits.
   */
  committedSince(base: string | undefined): Promise<readonly string[]>
}

/**
 * - `new`: the remote does not have the branch.
 * - `forward`: the remote's branch is (or was) behind.
 * - `same`: nothing to do.
 * - `rejected`: the remote's branch has commits that the pushed one lacks.
 */
export type PushAnswer =
  | { readonly kind: 'new' | 'forward' | 'same' | 'rejected' }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Pushes and fetches one ref of one remote: without hooks or prompts, within the given timeout, and never outliving
 * this process. `remote`: a name or a URL, as git gave it to the hook.
 */
export interface CheckpointRemote {
  /** `isTrial`: a dry run that asks the remote and changes nothing on either side. */
  push(
    remote: string,
    commit: string,
    ref: string,
    options: { readonly isTrial: boolean; readonly timeout: number },
  ): Promise<PushAnswer>
  /** Fetches the remote's `ref` into the local ref `into`. Returns a reason if that failed. */
  fetch(remote: string, ref: string, into: string, timeout: number): Promise<string | undefined>
}
