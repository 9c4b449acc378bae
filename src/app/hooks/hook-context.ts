/** What a hook of git's needs from outside, and what it is run for. */

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

/** What open sessions have to do with a hook. None of it throws. */
export interface SessionHooks {
  /** `args`: those of prepare-commit-msg. */
  link(args: readonly string[], isSequence: boolean): Promise<void>
  /** `args`: those of commit-msg. */
  finishDraft(args: readonly string[]): Promise<void>
  followCommit(isSequence: boolean): Promise<void>
  /** `lines`: standard input of post-rewrite. */
  followRewrite(lines: string): Promise<void>
  /** pre-push: what to say where a commit of work in progress stops the push. */
  hold(tips: readonly PushedTip[]): Promise<string | undefined>
  push(remote: string, refs: readonly string[]): Promise<void>
}

export interface HookContext {
  readonly repository: RepositoryPort
  readonly say: Say
  /** The hook's own arguments. */
  readonly args: readonly string[]
  readonly stdin: () => Promise<string>
  /** Undefined where no session is open (pre-push: and there are no checkpoints). */
  sessions(hook: HookName): Promise<SessionHooks | undefined>
  /** The `git commit` at work, where it can be known. */
  readonly commitProcess: () =>
    | { readonly words: readonly string[]; readonly isStartedByGit: boolean }
    | undefined
  /** The git that runs the hook. */
  readonly committer: () => ProcessIdentity | undefined
  /** The git that ran the hook was killed. */
  readonly isOrphan: () => boolean
  /** prepare-commit-msg: git comes to our part of post-commit, too. */
  readonly isFollowed: boolean
  /** True where the worktree's git folder has a file or folder of this name. */
  readonly hasGitFile: (name: string) => boolean
  /** The nearest git above was asked to make other commits again. */
  readonly isReplayCommand: () => boolean
}

export async function ledgerOf({ repository, say }: HookContext): Promise<LedgerContext> {
  return { repository, settings: await readSettings(repository), say }
}

/** A rebase, cherry-pick or revert of several steps. */
export function isSequencing({ hasGitFile }: HookContext): boolean {
  const signs = ['rebase-merge', 'rebase-apply', 'sequencer', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']
  return signs.some(hasGitFile)
}
