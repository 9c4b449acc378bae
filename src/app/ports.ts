/** What the use cases need from the outside world, as types. `io/` implements them. */

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
  /** Resolves to undefined when the repository does not have the object. */
  read(oid: string): Promise<GitObject | undefined>
  close(): void
  /** What was read before; undefined where nothing is kept. */
  readonly cache?: LedgerCache | undefined
  /** In a partial clone: fetches what is missing below a tree, all at once. Best effort. */
  prefetch?(tree: string): Promise<void>
}

/** An object reader that also understands git's revision expressions. */
export interface RevisionReader extends ObjectReader {
  /** `HEAD:notes/current.md`, `<oid>^2^{tree}` … Undefined when it names nothing. */
  find(expression: string): Promise<GitObject | undefined>
}

/** Where a repository is. Paths are absolute. */
export interface Place {
  /** Top of the worktree; undefined in a bare repository. */
  readonly top: string | undefined
  /** Somebody stands in the git folder of a repository that has a worktree. */
  readonly isInGitDir?: boolean
  /** The worktree's own git folder. */
  readonly gitDir: string
  /** The folder that all worktrees share. */
  readonly commonDir: string
  /** The folder that git takes hooks from, where git was asked for it. */
  readonly hooks?: string
  readonly format: ObjectFormat
  /** The current folder relative to `top`, with a final slash, or empty. */
  readonly prefix: string
}

export interface IndexEntry extends TreeEntry {
  /** Path from the top of the repository. */
  readonly path: ByteName
  readonly stage: number
  readonly skipWorktree: boolean
}

export interface ListedFiles {
  readonly entries: IndexEntry[]
  /** Files that are in no commit of this index, and not ignored. */
  readonly untracked: ByteName[]
}

/** A tracked file that is there and is not what HEAD has, or what the index has. */
export interface FileChange {
  readonly path: ByteName
  /** The index has another text than HEAD, or HEAD has none. */
  readonly isStaged: boolean
  /** The worktree has another text than the index. */
  readonly isEdited: boolean
}

/** The index of one worktree, or the one that `GIT_INDEX_FILE` names. */
export interface IndexPort {
  /** All entries below the given paths (files or folders); of an unmerged one up to three. */
  list(...paths: readonly PathText[]): Promise<IndexEntry[]>
  /** The same, and what lies in the worktree beside them. */
  listAll(...paths: readonly PathText[]): Promise<ListedFiles>
  /** Paths below `folder` whose staged text has these words in it; undefined where git cannot tell. */
  saying(words: string, folder: PathText): Promise<ReadonlySet<ByteName> | undefined>
  /** The merged ones among them. */
  blobs(...paths: readonly PathText[]): Promise<Blobs>
  /**
   * Puts entries in or, without `after`, takes them out; also where a path is unmerged. Files stay; whether they
   * are as the index has them git looks up at each, until `refresh`.
   */
  change(entries: readonly Pick<MarkedEntry, 'path' | 'after'>[]): Promise<void>
  /** Stages worktree files as they are, through git's clean filters. */
  addFiles(paths: readonly ByteName[]): Promise<void>
  /** Tracked files below a folder that changed; deleted and unmerged ones are left out. */
  changes(folder: PathText): Promise<FileChange[]>
  /** True when a plain `git commit` has something to commit. */
  differsFromHead(): Promise<boolean>
  /** Updates the cached file times of these paths, so that plain `git diff-files` sees them as clean. */
  refresh(...paths: readonly PathText[]): Promise<void>
  /** Stores the index as a tree. */
  writeTree(): Promise<string>
}

export interface WorktreePort {
  /** Of a folder that may not be looked into git says that it is empty. Throws `FILE_UNREADABLE`. */
  requireOpen(folder: string): void
  /** Untracked, not ignored regular files directly in `folder`. */
  untracked(folder: PathText): Promise<ByteName[]>
  /** Blob ids of the files as git would store them; `write` also stores them. */
  hashFiles(paths: readonly ByteName[], write: boolean): Promise<string[]>
  isExecutable(path: ByteName): boolean
  /** Bytes of a regular file, or undefined. Symbolic links are not followed. Throws `FILE_UNREADABLE`. */
  read(path: PathText): Promise<Uint8Array | undefined>
  readBytesName(path: ByteName): Promise<Uint8Array | undefined>
  /** Whatever it is: a link that leads nowhere, too. */
  isThere(path: PathText): boolean
  /** Names of the folders directly in a folder; links are not followed. Names that are no text are left out. */
  folders(path: PathText): string[]
  /** Complete temp file, fsync, rename. */
  write(path: PathText, content: string | Uint8Array): Promise<void>
  /** Writes a stored blob as a checkout would: through git's filters. */
  checkOut(path: PathText, oid: string): Promise<void>
  /** Like `write`, but false when a file of that name exists. */
  create(path: PathText, content: string | Uint8Array): Promise<boolean>
  /** Deletes a file, and the folder it leaves empty. */
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
  /** It is one that git made for a single commit. */
  readonly isCommitIndex: boolean
  /** Tracked files may be left out of the worktree, by a sparse checkout. */
  readonly isSparse: boolean
  /** The same worktree with its own index, whatever `GIT_INDEX_FILE` says. */
  withOwnIndex(): RepositoryPort
  /**
   * Changes the index at once or not at all: `action` gets the repository with a copy of the index, and
   * runs again if somebody else changed it meanwhile. Throws `INDEX_BUSY`.
   */
  changeIndex<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T>
  /** The same in two steps: builds the new index, and leaves the old one as it is. */
  prepareIndex(action: (index: IndexPort) => Promise<void>): Promise<IndexChange>
  /** Gives `action` the repository with an index that holds HEAD's files and is thrown away afterwards. */
  withHeadIndex<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T>
  /** Removes a lock of the index that a killed process of ours left. */
  clearDeadLock(): void
  /** One reader for the whole command. */
  readonly objects: RevisionReader
  /** What it is given is in the repository after `flush`; the two below are at once. */
  readonly writer: ObjectWriter
  writeBlob(content: string | Uint8Array): Promise<string>
  writeTree(entries: readonly TreeEntry[]): Promise<string>
  /** All best common ancestors. */
  mergeBases(a: string, b: string): Promise<string[]>
  /** A value of git's configuration. */
  config(key: string): Promise<string | undefined>
  /** The same of one that names a command or an address: refused where a commit can bring it. */
  personalConfig(key: string): Promise<PersonalValue | undefined>
  /** Several settings at once, in the order given. Of those without a subsection. */
  configs(keys: readonly string[]): Promise<(string | undefined)[]>
  /** The value of a git attribute for each path. */
  attribute(name: string, ...paths: readonly string[]): Promise<string[]>
  readonly mergeText: MergeText
}

/**
 * Writes objects that no ref names yet. They are in the repository when a ref of ours is moved, or after
 * `flush`, and until then cannot be read.
 */
export interface ObjectWriter {
  /** In the order given. */
  blobs(contents: readonly (string | Uint8Array)[]): string[]
  tree(entries: readonly TreeEntry[]): string
  /** The ledger's own: nobody's signature, a fixed author, the given time. */
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

/** What use cases that write the ledger work on. */
export interface LedgerContext {
  readonly repository: RepositoryPort
  readonly settings: Settings
  readonly say: Say
}

/** Tells the user something beside the answer. */
export type Say = (message: string) => void

export interface IndexChange {
  /** Puts the new index into place; false when the old one has changed since. Throws `INDEX_BUSY`. */
  apply(): Promise<boolean>
  discard(): void
}

export interface Clock {
  /** Unix time in milliseconds. */
  now(): number
}

/** Files by absolute path. Writes are whole or not at all. */
export interface FilesPort {
  /** Follows links. Bytes that are not UTF-8 become lone surrogates, which `write` turns back. */
  read(path: string): string | undefined
  /** `mode` only where the file is new or the mode must change. */
  write(path: string, content: string, mode?: number): void
  /**
   * Changes a file of git's that others may be writing, as git does: the text is read under git's own lock. A text
   * that stays the same is not written.
   */
  change(path: string, edit: (text: string) => string): void
  remove(path: string): void
  /** Gives a file a second name in its folder. A link gets a twin, a folder moves. */
  keep(from: string, to: string): void
  /** Puts what `keep` kept back over `to`. */
  restore(kept: string, to: string): void
  /** Two files of the same bytes and mode, or two links that say the same. */
  isSame(one: string, other: string): boolean
  /** A relative link to this file, in a folder that is made for it. */
  link(file: string, path: string): void
  /** Removes a folder if it is empty. */
  removeFolder(path: string): void
  /** Removes a folder with all that is in it. */
  removeTree(path: string): void
  /** `other`: a link, a folder or a device. */
  kind(path: string): 'file' | 'other' | 'absent'
  mode(path: string): number
  /** Bytes of a regular file; undefined for anything else. */
  size(path: string): number | undefined
  /** Names in a folder; empty when there is none. */
  list(folder: string): string[]
}
