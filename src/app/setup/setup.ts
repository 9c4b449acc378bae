/** One repository as `install`, `uninstall`, `status` and `doctor` work on it. `compose/setup.ts` makes it. */

import type { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { Clock, FilesPort, ObjectReader, RepositoryPort } from '../ports.ts'
import type { BrokenRef, DamagedState } from '../shadow/session-ports.ts'
import type { OutboxPort } from '../tracker/tracker-ports.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Setup {
  readonly repository: RepositoryPort
  /** The defaults where the settings file cannot be read. */
  readonly settings: Settings
  readonly settingsError: LedgerError | undefined
  readonly hooks: HooksFolder
  readonly gits: GitVersions
  readonly probes: Probes
  readonly sessions: SessionUpkeep
  readonly outbox: Pick<OutboxPort, 'list'>
  readonly files: FilesPort
  readonly clock: Clock
  readonly env: Env
  /** Of ledger-git, and of the running Node. */
  readonly version: string
  readonly nodeVersion: string
  /** Absolute paths of the running Node and of this package's entry file. */
  readonly launch: { readonly node: string; readonly cli: string }
  /** A text of the package. */
  asset(path: string): string
  /** Holds the lock of `install`: one at a time in each repository. */
  locked<T>(action: () => Promise<T>): Promise<T>
}

/** Which folder git takes hooks from, and whose it is. */
export interface HooksFolder {
  /** Where git itself looks. */
  readonly effective: string
  /** Where blocks go: the same folder, but for husky 9, which runs `.husky/<hook>` from its own. */
  readonly path: string
  /** `foreign`: shared with other repositories, or outside this one. */
  readonly owner: 'git' | 'husky' | 'local' | 'foreign'
  /** Where `core.hooksPath` is set: `local`, `global` …; undefined where it is not. */
  readonly scope?: string | undefined
}

/** `git --version` of the git that was called, and of others on this machine that GUI clients use. */
export interface GitVersions {
  readonly running: string
  readonly others: readonly string[]
}

export interface WorktreeInfo {
  /** Absolute path. */
  readonly path: string
  readonly gitDir: string
  readonly isBare: boolean
}

/** Why git cannot work in a worktree, and what mends it. */
export interface WorktreeDamage {
  readonly message: string
  readonly command: string
}

/** What can be tried out, or asked of git, instead of believing what is written. */
export interface Probes {
  /** The user's environment without git's variables, which are about one worktree. */
  readonly env: Env
  /** Runs a program at the top with exactly this environment; 127 when it cannot start or end. */
  run(program: string, args: readonly string[], env: Env): Promise<Answer>
  /** Every worktree that is there and that git can work in, the current one first. */
  worktrees(): Promise<WorktreeInfo[]>
  /** Of the others that are there. */
  damagedWorktrees(): Promise<WorktreeDamage[]>
  /** What `merge` says of some paths, as another worktree sees it. */
  mergeIn(worktree: WorktreeInfo, paths: readonly string[]): Promise<readonly string[]>
  /**
   * The values of attributes that git gives each path where there is nothing but these `.gitattributes`, by their paths:
   * no settings of the user, no `info/attributes`.
   */
  attributesBy(
    texts: ReadonlyMap<string, Uint8Array>,
    attributes: readonly string[],
    paths: readonly string[],
  ): Promise<readonly Readonly<Record<string, string>>[]>
  /** Folder that git takes hooks from in another worktree. */
  hooksFolderIn(worktree: WorktreeInfo): Promise<string>
  /** Asked where the file is: git knows nothing of another worktree's. */
  isTracked(path: string): Promise<boolean>
  /**
   * Commits in a repository that is thrown away, with a copy of this one's scripts and settings and one
   * pending event below `root`. What was said, and whether the commit holds the event.
   */
  commitEvent(root: string): Promise<{ readonly isTaken: boolean; readonly said: string }>
  /** Whether it holds it, as was found within a day with the same scripts, settings and programs, or is now. */
  takesEvent(root: string): Promise<boolean>
  /**
   * The rules that make git ignore these paths, as `file:line:pattern`. At a path behind a symbolic link git stops:
   * it tells of none after it.
   */
  ignoredBy(paths: readonly string[]): Promise<readonly (string | undefined)[]>
  /** Those of these locks that dead processes left, and their temporary files, also in these folders. */
  leftBehind(locks: readonly string[], folders: readonly string[]): readonly string[]
  /** Removes them, but not what another user left; says which. */
  removeLeftBehind(locks: readonly string[], folders: readonly string[]): readonly string[]
  /** Reads objects without git; undefined where only git may read them. */
  readonly inProcess: ObjectReader | undefined
  /** The same repository, with all new objects in a folder that is removed afterwards. */
  withScratchObjects<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T>
}

/** Sessions whose agents are gone, of this worktree and of removed ones. */
export interface SessionUpkeep {
  /** Their ids. */
  unended(): Promise<readonly string[]>
  /** Files of sessions that cannot be read, and why. */
  damaged(): Promise<readonly DamagedState[]>
  /** Refs of shadow data and checkpoints that say nothing. */
  brokenRefs(): Promise<readonly BrokenRef[]>
  /** Ends them: their events stay pending. Returns the ids of those that ended. */
  end(): Promise<readonly string[]>
}

export interface Answer {
  readonly status: number
  /** Standard output, then standard error. */
  readonly said: string
}

/** True when HEAD has our attributes: new clones and worktrees come with them. */
export async function isAdopted(repository: RepositoryPort): Promise<boolean> {
  const file = await repository.objects.find('HEAD:.gitattributes')
  return file?.type === 'blob' && hasBlock(Buffer.from(file.content).toString('latin1'))
}
