/** What gathering the fleet needs from the outside world. `io/git/git-fleet.ts` implements `FleetPort`. */

import type { ByteName } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { IndexPort } from '../ports.ts'
import type { WorktreeDamage } from '../setup/setup.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export interface FleetContext extends Pick<
  SessionContext,
  'repository' | 'sessions' | 'processes' | 'contexts' | 'clock'
> {
  readonly settings: Settings
  readonly fleet: FleetPort
}

/** Each answer takes one call of git, however many worktrees and branches there are; files are read without git. */
export interface FleetPort {
  worktrees(): Promise<ListedWorktree[]>
  /** Local branches, the one with the newest commit first. */
  branches(): Promise<ListedBranch[]>
  /** Names of the branches that have commits that `commit` lacks. */
  unmerged(commit: string): Promise<ReadonlySet<string>>
  /** How many commits `to` has that `from` lacks, and vice versa. */
  distance(from: string, to: string): Promise<Distance>
  /** Names in a folder of any worktree; empty if it is absent. */
  names(folder: string): ByteName[]
  /** Bytes of a regular file in a folder, or undefined. */
  bytes(folder: string, name: ByteName): Uint8Array | undefined
  /** True if a sparse checkout leaves the path out; undefined if git cannot say. */
  isLeftOut(top: string, path: string): boolean | undefined
  /** The index of any worktree. */
  index(top: string): Pick<IndexPort, 'list'>
}

export interface ListedWorktree {
  readonly path: string
  /** Undefined before the first commit. */
  readonly head: string | undefined
  /** During a rebase or bisect, the branch concerned; undefined on a detached HEAD. */
  readonly branch: string | undefined
  /** True for the main worktree, to which all others were added. */
  readonly isMain: boolean
  readonly isGone: boolean
  /** The git operation in progress, such as `rebasing`. */
  readonly underWay: string | undefined
  /** The reason given for locking the worktree, or an empty text; undefined if it is not locked. */
  readonly locked: string | undefined
  readonly damage: WorktreeDamage | undefined
}

export interface ListedBranch {
  readonly name: string
  readonly head: string
}

export interface Distance {
  readonly ahead: number
  readonly behind: number
}

/** Results that depend only on object ids, kept for the next look. Each look makes a new memory, so it stays small. */
export type FleetMemory = ReadonlyMap<string, unknown>
