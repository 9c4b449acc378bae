/** What shadow data needs from outside beyond the session ports, as types. `io/git/shadow-*.ts` has both. */

import type { ByteName } from '../../core/git/objects.ts'
import type { WorktreePort } from '../ports.ts'
import type { SessionContext } from '../session/session-ports.ts'

/** A file as git would store it. A submodule has mode `160000` and its commit's id. */
export interface StoredFile {
  readonly mode: string
  readonly oid: string
}

export interface FileAt extends StoredFile {
  readonly path: ByteName
}

/** What is at a path. Folders, devices, and what lies behind a link or in another repository: nothing. */
export interface SeenFile {
  readonly kind: 'file' | 'link' | 'repository'
  readonly size: number
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
   * What differs from a commit (HEAD where none is given), staged or not, deleted or untracked; ignored
   * files and repositories that are no submodules never.
   */
  differing(): Promise<ByteName[]>
  /** Those that git ignores; a tracked file is not ignored. */
  ignored(paths: readonly ByteName[]): Promise<ByteName[]>
  look(paths: readonly ByteName[]): Promise<(SeenFile | undefined)[]>
  take(paths: readonly ByteName[]): Promise<TakenFiles>
  /** The tree with these files in it, written. */
  tree(files: readonly FileAt[]): Promise<string>
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

export interface ShadowContext extends SessionContext {
  readonly files: WorktreeFilesPort
  readonly rescue: RescuePort
}
