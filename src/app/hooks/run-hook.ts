/** Git's hooks. Post-hooks always answer 0; pre-hooks block only for what docs/git-behaviour.md lists. */

import type { ProcessIdentity } from '../../core/session/session-state.ts'
import { isSame } from '../../core/commit/commit-mark.ts'
import { readCommitWords } from '../../core/commit/parse-git-args.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import { finishCommit, takeIn, takeOut } from '../commit/commit-marks.ts'
import { settleMarks } from '../commit/settle-marks.ts'
import { pendingDocuments } from '../commit/pending-documents.ts'
import { bringBackLeftOut } from '../commit/left-out-merges.ts'
import { followIndex, renderOutOfGit } from '../commit/refresh-current.ts'
import { settleEvents } from '../commit/settle-events.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { ledgerPaths, placeOfIndex, placeOfRevision } from '../ledger/ledger-sources.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { LedgerContext, RepositoryPort, Say } from '../ports.ts'
import type { PushedTip } from './stale-tips.ts'
import { pushedTips, staleTips } from './stale-tips.ts'

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

/** Runs one hook and returns its exit status. */
export async function runHook(name: HookName, context: HookContext): Promise<number> {
  try {
    return await hooks[name](context)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    // A ledger that cannot be read must never keep anybody from committing or pushing other work.
    context.say(
      `ledger-git: ${name}: ${error.message}${error.next ? `\n  next: ${error.next}` : ''}`,
    )
    return 0
  }
}

const hooks: Record<HookName, (context: HookContext) => Promise<number>> = {
  'pre-commit': preCommit,
  'prepare-commit-msg': prepareMessage,
  'commit-msg': finishMessage,
  'post-commit': postCommit,
  'post-merge': warnIfStale,
  'post-rewrite': postRewrite,
  'post-checkout': warnIfStale,
  'pre-push': prePush,
}

/** Takes pending events into the commit and makes its `current.md` fresh. */
async function preCommit(context: HookContext): Promise<number> {
  const { repository, say } = context
  // A sequence keeps the index in memory: what a hook stages makes its next step fail. The
  // prepare-commit-msg gate watches over these commits.
  if (isSequencing(context) && context.commitProcess()?.isStartedByGit === true) return 0
  // No commit comes of it, and what was staged nobody would take out.
  if (context.isOrphan()) return 0
  await settleMarks(repository, say, { isNewCommit: true })
  const ledger = await ledgerOf(context)
  // `git commit -- path` (also `--only`) builds the commit in an index of its own.
  const isPartial = /(?:^|\/)next-index-[^/]*$/.test(repository.indexFile ?? '')
  const settled = await settleEvents(ledger)
  if (!settled.mayCommit) return 1
  if (!isPartial && !(await willCommit(context))) {
    if (settled.isIndexChanged) say(NOTHING_LEFT)
    else if (settled.pending.length > 0) say(PENDING_ONLY)
    return settled.isIndexChanged ? 1 : 0
  }
  const entries = await takeIn(ledger, {
    committer: context.committer(),
    // `git commit -- path` commits what it names and nothing else.
    pending: isPartial ? [] : [...settled.pending, ...(await pendingDocuments(ledger))],
    isPartial,
    // Git prepared the real index before this hook, with what was changed back here.
    mustFollow: isPartial && settled.isIndexChanged,
  })
  const current = textToName(ledgerPaths(ledger.settings.root).current)
  const mended = entries.find(
    ({ path, before, after }) => path === current && !isSame(before, after),
  )
  if (mended !== undefined && entries.length === 1 && !(await willCommit(context))) {
    // All that was staged was a text that nobody renders. Git would commit without a change.
    await followIndex(ledger, mended.before?.oid)
    say(NOTHING_LEFT)
    return 1
  }
  // With the events that were just taken in.
  await renderOutOfGit(ledger)
  return 0
}

async function ledgerOf({ repository, say }: HookContext): Promise<LedgerContext> {
  return { repository, settings: await readSettings(repository), say }
}

/** A rebase, cherry-pick or revert of several steps. */
function isSequencing({ hasGitFile }: HookContext): boolean {
  const signs = ['rebase-merge', 'rebase-apply', 'sequencer', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']
  return signs.some(hasGitFile)
}

/** The same, or one of a single step: git leaves no sign of it but its own process. */
function isReplaying(context: HookContext): boolean {
  return isSequencing(context) || context.isReplayCommand()
}

const NOTHING_LEFT =
  'ledger-git: nothing else is in this commit; it was not made (git commit --allow-empty makes an empty one)'

const PENDING_ONLY =
  'ledger-git: events are pending, but git has nothing else to commit\n' +
  '  next: git commit --allow-empty, or ledger-git synthesize --no-confirm --commit'

/**
 * Git decides whether there is anything to commit before it looks at what a hook staged. What is
 * staged for a commit that is then not made would stay behind and block `git switch` and `git merge`.
 */
async function willCommit(context: HookContext): Promise<boolean> {
  if (context.hasGitFile('MERGE_HEAD')) return true
  if (await context.repository.index.differsFromHead()) return true
  const words = context.commitProcess()?.words ?? []
  // Has a longer sibling and cannot be abbreviated.
  return words.includes('--allow-empty') || readCommitWords(words).isAmend
}

async function prepareMessage(context: HookContext): Promise<number> {
  const { repository, say, args, hasGitFile } = context
  if (context.isFollowed) await takeOut(repository, context.committer())
  await settleMarks(repository, say)
  const isMerging = hasGitFile('MERGE_HEAD')
  // A commit that a sequence makes, or `--continue` after one: nothing else has looked at it.
  const isGated = isSequencing(context) || (hasGitFile('MERGE_MSG') && !isMerging)
  if (isGated && !(await passesGate(context))) return 1
  const sessions = await context.sessions('prepare-commit-msg')
  await sessions?.link(args, isMerging || isReplaying(context))
  return 0
}

/** The shim runs it for a draft that `link` put a trailer into. */
async function finishMessage(context: HookContext): Promise<number> {
  const sessions = await context.sessions('commit-msg')
  await sessions?.finishDraft(context.args)
  return 0
}

async function postCommit(context: HookContext): Promise<number> {
  const { repository, say } = context
  if (!repository.marks.isEmpty) await finishCommit(repository, context.committer(), say)
  const sessions = await context.sessions('post-commit')
  await sessions?.followCommit(isReplaying(context))
  return 0
}

async function postRewrite(context: HookContext): Promise<number> {
  const sessions = await context.sessions('post-rewrite')
  if (sessions !== undefined) await sessions.followRewrite(await context.stdin())
  if (context.args[0] === 'rebase') await bringBackLeftOut(await ledgerOf(context))
  return warnIfStale(context)
}

/** Rebase, cherry-pick and revert run no other hook that can stop them. Never stages anything. */
async function passesGate(context: HookContext): Promise<boolean> {
  const { repository, settings, say } = await ledgerOf(context)
  const { hasGitFile } = context
  const { root, mode } = settings
  const result = await freshnessOf(repository.objects, await placeOfIndex(repository, root), mode)
  if (result.fresh) return true
  const parent = await placeOfRevision(repository, 'HEAD', root)
  if (parent.current === undefined) return true // nobody kept a ledger here yet
  if (!(await freshnessOf(repository.objects, parent, mode)).fresh) return true
  // Git 2.42.1 and newer make a pick anew that stopped before its commit, and commit nothing that is staged.
  const isAnew = hasGitFile('rebase-merge') && !hasGitFile('rebase-merge/message')
  const next = isAnew
    ? 'git commit --no-edit, git rebase --continue'
    : 'then continue (git status names the command)'
  say(
    `ledger-git: stopped: this step would make ${ledgerPaths(root).current} stale (${result.reason})\n` +
      `  next: ledger-git resolve, ${next}`,
  )
  return false
}

async function warnIfStale(context: HookContext): Promise<number> {
  const { repository, say } = context
  await settleMarks(repository, say)
  const ledger = await ledgerOf(context)
  const { root, mode } = ledger.settings
  await renderOutOfGit(ledger)
  const head = await placeOfRevision(repository, 'HEAD', root)
  const state = await freshnessOf(repository.objects, head, mode)
  if (!state.fresh) {
    say(
      `ledger-git: ${ledgerPaths(root).current} in HEAD is stale (${state.reason})\n` +
        '  next: ledger-git resolve --commit',
    )
  }
  return 0
}

/** Blocks when the ledger of a pushed tip is stale; once for a tip that is work in progress. */
async function prePush(context: HookContext): Promise<number> {
  const { repository, stdin, say, args } = context
  await settleMarks(repository, say)
  const lines = (await stdin()).split('\n')
  const stale = await staleTips(repository, lines, say)
  for (const { oid, ref, reason } of stale) {
    say(
      `ledger-git: push stopped: the ledger of ${ref.slice('refs/heads/'.length)} (${oid.slice(0, 9)}) ` +
        `is stale: ${reason}\n` +
        '  next: on that branch, ledger-git resolve --commit, then push again (to push as it is: LEDGER_GIT=0 git push)',
    )
  }
  if (stale.length > 0) return 1
  const sessions = await context.sessions('pre-push')
  const held = await sessions?.hold(pushedTips(lines))
  if (held !== undefined) {
    say(held)
    return 1
  }
  const refs = lines.flatMap((line) => line.split(' ')[2] ?? [])
  await sessions?.push(args[0] ?? 'origin', refs)
  return 0
}
