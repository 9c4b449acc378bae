/** What a git hook needs from outside, and why it runs. */

import type { ProcessIdentity } from '../../core/session/session-state.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { LedgerContext, RepositoryPort, Say } from '../ports.ts'
import type { PushedTip } from './stale-tips.ts'

export const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-merge',
  'post-rewrite',
  'post-checkout',
  'pre-push',
] as const

export type HookName = (typeof HOOKS)[number]

/** What open sessions do in a hook. None of these methods throws. */
export interface SessionHooks {
  /** `args`: the arguments of prepare-commit-msg. */
  link(args: readonly string[], isSequence: boolean): Promise<void>
  /** `args`: the arguments of commit-msg. */
  finishDraft(args: readonly string[]): Promise<void>
  followCommit(isSequence: boolean): Promise<void>
  /** `lines`: standard input of post-rewrite. */
  followRewrite(lines: string): Promise<void>
  /** pre-push: the message if a commit of work in progress stops the push. */
  hold(tips: readonly PushedTip[]): Promise<string | undefined>
  push(remote: string, refs: readonly string[]): Promise<void>
}

export interface HookContext {
  readonly repository: RepositoryPort
  readonly say: Say
  /** The hook's own arguments. */
  readonly args: readonly string[]
  readonly stdin: () => Promise<string>
  /** Undefined if no session is open (for pre-push: and there are no checkpoints). */
  sessions(hook: HookName): Promise<SessionHooks | undefined>
  /** The running `git commit`, if it can be determined. */
  readonly commitProcess: () =>
    | { readonly words: readonly string[]; readonly isStartedByGit: boolean }
    | undefined
  /** The git that runs the hook. */
  readonly committer: () => ProcessIdentity | undefined
  /** The git that ran the hook was killed. */
  readonly isOrphan: () => boolean
  /** prepare-commit-msg: true if git will also reach our part of post-commit. */
  readonly isFollowed: boolean
  /** True if the worktree's git folder has a file or folder with this name. */
  readonly hasGitFile: (name: string) => boolean
  /** True if the nearest ancestor git was asked to replay other commits. */
  readonly isReplayCommand: () => boolean
  /** pre-push: true if the user's command names the branch, or the environment asks for checkpoints to be pushed. */
  readonly isAskedToPush: (branch: string) => boolean
}

export async function ledgerOf({ repository, say }: HookContext): Promise<LedgerContext> {
  return { repository, settings: await readSettings(repository), say }
}

/** True during a rebase, cherry-pick or revert of several steps. */
export function isSequencing({ hasGitFile }: HookContext): boolean {
  const signs = ['rebase-merge', 'rebase-apply', 'sequencer', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']
  return signs.some(hasGitFile)
}
