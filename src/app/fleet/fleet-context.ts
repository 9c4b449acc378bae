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

/** Each answer is one call of git, whatever the number of worktrees and branches; files are read without git. */
export interface FleetPort {
  worktrees(): Promise<ListedWorktree[]>
  /** Local branches, the one with the newest commit first. */
  branches(): Promise<ListedBranch[]>
  /** Names of the branches that have commits which `commit` lacks. */
  unmerged(commit: string): Promise<ReadonlySet<string>>
  /** Commits of the second that the first lacks, and the other way round. */
  distance(from: string, to: string): Promise<Distance>
  /** Names in a folder of any worktree; none where it is absent. */
  names(folder: string): ByteName[]
  /** Bytes of a regular file in it, or undefined. */
  bytes(folder: string, name: ByteName): Uint8Array | undefined
  /** True where the checkout leaves the path out on purpose; undefined where git cannot say. */
  isLeftOut(top: string, path: string): boolean | undefined
  /** The index of any worktree. */
  index(top: string): Pick<IndexPort, 'list'>
}

export interface ListedWorktree {
  readonly path: string
  /** Undefined before the first commit. */
  readonly head: string | undefined
  /** Of a rebase or bisect that is under way, the branch that it is about; undefined on a detached HEAD. */
  readonly branch: string | undefined
  /** The one that all others were added to. */
  readonly isMain: boolean
  readonly isGone: boolean
  /** What git is in the middle of: `rebasing`. */
  readonly underWay: string | undefined
  /** With the reason that was given, or an empty text. */
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

/** What follows from object ids alone, kept for the next look. Each look makes a new one, so it stays small. */
export type FleetMemory = ReadonlyMap<string, unknown>
