/** What the use cases need from the outside world, as types. Implemented in `io/`. */

import type { PersonalValue } from '../core/settings/personal-value.ts'
import type { Blobs, MarkedEntry } from '../core/commit/commit-mark.ts'
import type { ByteName, ObjectFormat, PathText, TreeEntry } from '../core/git/objects.ts'
import type { Settings } from '../core/settings/settings.ts'
import type { LedgerCache } from './ports/ledger-cache.ts'
import type { CommitPort, HistoryPort, MarkStore } from './ports/history.ts'
import type { MergeText } from './ports/merge-text.ts'

export interface GitObject {
  readonly oid: string
  readonly type: 'blob' | 'tree' | 'commit' | 'tag'
  readonly content: Uint8Array
}

/** Reads objects by id. Two implementations, one contract suite (`test/io/objects/object-reader.test.ts`). */
export interface ObjectReader {
  /** Resolves to undefined if the repository does not have the object. */
  read(oid: string): Promise<GitObject | undefined>
  close(): void
  /** What was read in earlier runs; undefined if nothing is cached. */
  readonly cache?: LedgerCache | undefined
  /** In a partial clone, fetches everything missing below a tree at once. Best effort. */
  prefetch?(tree: string): Promise<void>
}

/** An object reader that also understands git's revision expressions. */
export interface RevisionReader extends ObjectReader {
  /** For expressions such as `HEAD:notes/current.md` or `<oid>^2^{tree}`. Undefined if the expression names nothing. */
  find(expression: string): Promise<GitObject | undefined>
}

/** Where a repository is. Paths are absolute. */
export interface Place {
  /** Top of the worktree; undefined in a bare repository. */
  readonly top: string | undefined
  /** The current folder is inside the git folder of a repository that has a worktree. */
  readonly isInGitDir?: boolean
  /** The worktree's own git folder. */
  readonly gitDir: string
  /** The folder that all worktrees share. */
  readonly commonDir: string
  /** The folder from which git takes hooks, if git was asked for it. */
  readonly hooks?: string
  readonly format: ObjectFormat
  /** The current folder relative to `top`, with a trailing slash; empty for `top` itself. */
  readonly prefix: string
}

export interface IndexEntry extends TreeEntry {
  /** Relative to the top of the repository. */
  readonly path: ByteName
  readonly stage: number
  readonly skipWorktree: boolean
}

export interface ListedFiles {
  readonly entries: IndexEntry[]
  /** Untracked files that are not ignored. */
  readonly untracked: ByteName[]
}

/** A tracked file that exists and differs from HEAD or from the index. */
export interface FileChange {
  readonly path: ByteName
  /** The index differs from HEAD, or HEAD does not have the file. */
  readonly isStaged: boolean
  /** The worktree differs from the index. */
  readonly isEdited: boolean
}

/** The index of one worktree, or the index that `GIT_INDEX_FILE` names. */
export interface IndexPort {
  /** All entries at or below the given paths (files or folders); an unmerged path has up to three. */
  list(...paths: readonly PathText[]): Promise<IndexEntry[]>
  /** Like `list`, plus the untracked files at or below these paths. */
  listAll(...paths: readonly PathText[]): Promise<ListedFiles>
  /** Paths below `folder` whose staged text contains these words; undefined if git cannot tell. */
  saying(words: string, folder: PathText): Promise<ReadonlySet<ByteName> | undefined>
  /** The merged entries at or below the given paths. */
  blobs(...paths: readonly PathText[]): Promise<Blobs>
  /**
   * Adds entries or, without `after`, removes them, even if a path is unmerged. Files are left unchanged. Until
   * `refresh`, git compares each of these files with the index by content.
   */
  change(entries: readonly Pick<MarkedEntry, 'path' | 'after'>[]): Promise<void>
  /** Stages worktree files through git's clean filters. */
  addFiles(paths: readonly ByteName[]): Promise<void>
  /** Tracked files below a folder that changed; deleted and unmerged ones are left out. */
  changes(folder: PathText): Promise<FileChange[]>
  /** True if a plain `git commit` has something to commit. */
  differsFromHead(): Promise<boolean>
  /** Updates the cached file times of these paths, so that plain `git diff-files` sees them as clean. */
  refresh(...paths: readonly PathText[]): Promise<void>
  /** Stores the index as a tree. */
  writeTree(): Promise<string>
}

export interface WorktreePort {
  /** Throws `FILE_UNREADABLE` if the folder may not be read; git would report such a folder as empty. */
  requireOpen(folder: string): void
  /** Untracked regular files directly in `folder` that are not ignored. */
  untracked(folder: PathText): Promise<ByteName[]>
  /** Blob ids of the files as git would store them; `write` also stores them. */
  hashFiles(paths: readonly ByteName[], write: boolean): Promise<string[]>
  isExecutable(path: ByteName): boolean
  /** Bytes of a regular file, or undefined. Symbolic links are not followed. Throws `FILE_UNREADABLE`. */
  read(path: PathText): Promise<Uint8Array | undefined>
  readBytesName(path: ByteName): Promise<Uint8Array | undefined>
  /** True if anything exists at the path, even a dangling link. */
  isThere(path: PathText): boolean
  /** The first folder on the way to a file that is a symbolic link or another repository. */
  leadsOut(
    path: PathText,
  ): Promise<{ readonly folder: string; readonly isLink: boolean } | undefined>
  /** Names of the folders directly in a folder; links are not followed. Names that are not valid text are left out. */
  folders(path: PathText): string[]
  /** Writes a complete temporary file, then fsync and rename. */
  write(path: PathText, content: string | Uint8Array): Promise<void>
  /** Writes a stored blob as a checkout would: through git's filters. */
  checkOut(path: PathText, oid: string): Promise<void>
  /** Like `write`, but returns false if a file with that name exists. */
  create(path: PathText, content: string | Uint8Array): Promise<boolean>
  /** Deletes a file, and its folder if that becomes empty. */
  remove(path: ByteName): Promise<void>
}

export interface RepositoryPort {
  readonly place: Place
  readonly index: IndexPort
  readonly worktree: WorktreePort
  readonly history: HistoryPort
  readonly commits: CommitPort
  readonly marks: MarkStore
  /** Path of an index that the user named (`GIT_INDEX_FILE`); undefined: the worktree's own. */
  readonly indexFile: string | undefined
  /** True if git made that index for a single commit. */
  readonly isCommitIndex: boolean
  /** True if a sparse checkout may leave tracked files out of the worktree. */
  readonly isSparse: boolean
  /** The same worktree with its own index, whatever `GIT_INDEX_FILE` says. */
  withOwnIndex(): RepositoryPort
  /**
   * Changes the index atomically: `action` gets the repository with a copy of the index, and runs again if
   * another process has changed the index in the meantime. Throws `INDEX_BUSY`.
   */
  changeIndex<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T>
  /** Like `changeIndex`, in two steps: builds the new index but leaves the old one in place until `apply`. */
  prepareIndex(action: (index: IndexPort) => Promise<void>): Promise<IndexChange>
  /** Runs `action` with a temporary index that holds HEAD's files. */
  withHeadIndex<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T>
  /** Removes a stale index lock left by one of our own processes that was killed. */
  clearDeadLock(): void
  /** One reader for the whole command. */
  readonly objects: RevisionReader
  /** Objects given to the writer are in the repository after `flush`; the two methods below write immediately. */
  readonly writer: ObjectWriter
  writeBlob(content: string | Uint8Array): Promise<string>
  writeTree(entries: readonly TreeEntry[]): Promise<string>
  /** All best common ancestors. */
  mergeBases(a: string, b: string): Promise<string[]>
  /** A value of git's configuration. */
  config(key: string): Promise<string | undefined>
  /** Like `config`, for a value that names a command or an address: refused if a commit could have set it. */
  personalConfig(key: string): Promise<PersonalValue | undefined>
  /** Several values at once, in the given order. Only for keys without a subsection. */
  configs(keys: readonly string[]): Promise<(string | undefined)[]>
  /** The value of a git attribute for each path. */
  attribute(name: string, ...paths: readonly string[]): Promise<string[]>
  readonly mergeText: MergeText
}

/**
 * Writes objects that no ref names yet. They cannot be read until `flush`, or until one of our refs is moved.
 */
export interface ObjectWriter {
  /** Returns ids in the given order. */
  blobs(contents: readonly (string | Uint8Array)[]): string[]
  tree(entries: readonly TreeEntry[]): string
  /** A commit of the ledger itself: unsigned, with a fixed author and the given time. */
  commit(commit: {
    readonly tree: string
    readonly parents: readonly string[]
    readonly message: string
    /** Unix time in milliseconds. */
    readonly at: number
  }): string
  /** Throws `GIT_FAILED`. */
  flush(): void
}

/** The context of use cases that write the ledger. */
export interface LedgerContext {
  readonly repository: RepositoryPort
  readonly settings: Settings
  readonly say: Say
}

/** Tells the user something besides the command's result. */
export type Say = (message: string) => void

export interface IndexChange {
  /** Installs the new index; returns false if the old one has changed since. Throws `INDEX_BUSY`. */
  apply(): Promise<boolean>
  discard(): void
}

export interface Clock {
  /** Unix time in milliseconds. */
  now(): number
}

/** Files by absolute path. Writes are atomic. */
export interface FilesPort {
  /** Follows links. Bytes that are not UTF-8 become lone surrogates, which `write` turns back. */
  read(path: string): string | undefined
  /** Pass `mode` only if the file is new or its mode must change. */
  write(path: string, content: string, mode?: number): void
  /**
   * Changes one of git's files that others may be writing, the way git does: the text is read under git's own lock. An
   * unchanged text is not written.
   */
  change(path: string, edit: (text: string) => string): void
  remove(path: string): void
  /** Gives a file a second name in its folder. A link is duplicated; a folder is moved. */
  keep(from: string, to: string): void
  /** Moves what `keep` kept back to `to`, replacing what is there. */
  restore(kept: string, to: string): void
  /** True for two files with the same bytes and mode, or two links with the same target. */
  isSame(one: string, other: string): boolean
  /** Creates a relative link to this file; creates the link's folder if needed. */
  link(file: string, path: string): void
  /** Removes a folder if it is empty. */
  removeFolder(path: string): void
  /** Removes a folder and everything in it. */
  removeTree(path: string): void
  /** `other`: a link, a folder or a device. */
  kind(path: string): 'file' | 'other' | 'absent'
  mode(path: string): number
  /** Bytes of a regular file; undefined for anything else. */
  size(path: string): number | undefined
  /** Names in a folder; empty if there is no such folder. */
  list(folder: string): string[]
}
