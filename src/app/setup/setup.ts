/** A repository as `install`, `uninstall`, `status` and `doctor` see it; created in `compose/setup.ts`. */

import type { Obstacle } from '../checkpoint/held-branch.ts'
import type { LedgerError } from '../../core/errors/errors.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { Clock, FilesPort, ObjectReader, RepositoryPort } from '../ports.ts'
import type { BrokenRef, DamagedState } from '../shadow/session-ports.ts'
import type { OutboxPort } from '../tracker/tracker-ports.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Setup {
  readonly repository: RepositoryPort
  /** The defaults if the settings file cannot be read. */
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
  /** Version of ledger-git. */
  readonly version: string
  readonly nodeVersion: string
  /** Absolute paths of the running Node and of this package's entry file. */
  readonly launch: { readonly node: string; readonly cli: string }
  /** Reads a text file of the package. */
  asset(path: string): string
  /** Runs `action` under the lock of `install`: one at a time per repository. */
  locked<T>(action: () => Promise<T>): Promise<T>
}

/** The folder from which git takes hooks, and whose it is. */
export interface HooksFolder {
  /** Where git itself looks. */
  readonly effective: string
  /** Where blocks go: the same folder, except for husky 9, which runs `.husky/<hook>` from its own folder. */
  readonly path: string
  /** `foreign`: shared with other repositories, or outside this one. */
  readonly owner: 'git' | 'husky' | 'local' | 'foreign'
  /** The scope in which `core.hooksPath` is set (`local`, `global` …); undefined if it is not set. */
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

/** Why git cannot work in a worktree, and what fixes it. */
export interface WorktreeDamage {
  readonly message: string
  readonly command: string
}

/** Things that can be tried out or asked of git, instead of trusting what files say. */
export interface Probes {
  /** The user's environment without git's own variables, which refer to one worktree. */
  readonly env: Env
  /** Runs a program at the top of the worktree with exactly this environment; status 127 if it cannot start or end. */
  run(program: string, args: readonly string[], env: Env): Promise<Answer>
  /** Every existing worktree in which git can work, the current one first. */
  worktrees(): Promise<WorktreeInfo[]>
  /** Damage of the other existing worktrees. */
  damagedWorktrees(): Promise<WorktreeDamage[]>
  /** The `merge` attribute of some paths, as seen in another worktree. */
  mergeIn(worktree: WorktreeInfo, paths: readonly string[]): Promise<readonly string[]>
  /**
   * The attribute values that git gives each path if only these `.gitattributes` files (by path) exist, without user
   * settings or `info/attributes`.
   */
  attributesBy(
    texts: ReadonlyMap<string, Uint8Array>,
    attributes: readonly string[],
    paths: readonly string[],
  ): Promise<readonly Readonly<Record<string, string>>[]>
  /** The folder from which git takes hooks in another worktree. */
  hooksFolderIn(worktree: WorktreeInfo): Promise<string>
  /** Runs git where the file is, because git in this worktree does not know another worktree's files. */
  isTracked(path: string): Promise<boolean>
  /**
   * Makes a commit in a throw-away repository that has a copy of this one's scripts and settings and one pending event
   * below `root`. Returns the output, and whether the commit holds the event.
   */
  commitEvent(root: string): Promise<{ readonly isTaken: boolean; readonly said: string }>
  /** Whether such a commit holds the event; a result for the same scripts, settings and programs is valid for a day. */
  takesEvent(root: string): Promise<boolean>
  /**
   * The rules that make git ignore these paths, as `file:line:pattern`. Git stops at a path behind a symbolic link and
   * reports nothing for the paths after it.
   */
  ignoredBy(paths: readonly string[]): Promise<readonly (string | undefined)[]>
  /** The stale ones among these locks, and temporary files that dead processes left beside them or in these folders. */
  leftBehind(locks: readonly string[], folders: readonly string[]): readonly string[]
  /** Removes what `leftBehind` finds, except files of another user; returns what was removed. */
  removeLeftBehind(locks: readonly string[], folders: readonly string[]): readonly string[]
  /** Reads objects without git; undefined if only git can read them. */
  readonly inProcess: ObjectReader | undefined
  /** The same repository, with all new objects in a folder that is removed afterwards. */
  withScratchObjects<T>(action: (repository: RepositoryPort) => Promise<T>): Promise<T>
}

/** Sessions whose agents are gone, of this worktree and of removed ones. */
export interface SessionUpkeep {
  /** Their ids. */
  unended(): Promise<readonly string[]>
  /** State files of sessions that cannot be read, and why. */
  damaged(): Promise<readonly DamagedState[]>
  /** Broken refs of shadow data and checkpoints. */
  brokenRefs(): Promise<readonly BrokenRef[]>
  /** Why no checkpoint can be written. */
  blocked(): Promise<readonly Obstacle[]>
  /** Ends these sessions; their events stay pending. Returns the ids of the ended sessions. */
  end(): Promise<readonly string[]>
}

export interface Answer {
  readonly status: number
  /** Standard output, then standard error. */
  readonly said: string
}

/** True if HEAD has our attributes, so that new clones and worktrees get them. */
export async function isAdopted(repository: RepositoryPort): Promise<boolean> {
  const file = await repository.objects.find('HEAD:.gitattributes')
  return file?.type === 'blob' && hasBlock(Buffer.from(file.content).toString('latin1'))
}
