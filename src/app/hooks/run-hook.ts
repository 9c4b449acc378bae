/** Git's hooks. Post-hooks always answer 0; pre-hooks block only for what docs/git-behaviour.md lists. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { Committer } from '../../core/commit/commit-mark.ts'
import { isNullOid } from '../../core/git/objects.ts'
import type { Freshness } from '../ledger/freshness.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { ledgerPaths, placeOfIndex, placeOfRevision } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import { readSettings, settingsOfRevision } from '../ledger/read-settings.ts'
import type { LedgerMode, Say } from '../commit/refresh-current.ts'
import { isOutOfGit, renderWorktree } from '../commit/refresh-current.ts'
import { settleEvents } from '../commit/settle-events.ts'
import { finishCommit, settleMarks, takeOut } from '../commit/settle-marks.ts'
import { takeIn } from '../commit/take-in.ts'

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
  push(remote: string, refs: readonly string[]): Promise<void>
}

export interface HookContext {
  readonly repository: RepositoryPort
  /** The hook's own arguments. */
  readonly args: readonly string[]
  /** Undefined where no session is open (pre-push: where there are no checkpoints). */
  sessions(hook: HookName): Promise<SessionHooks | undefined>
  /** `GIT_INDEX_FILE` as git gave it, or undefined. */
  readonly indexFile: string | undefined
  readonly stdin: () => Promise<string>
  /** The `git commit` at work, where it can be known. */
  readonly commitProcess: () =>
    | { readonly words: readonly string[]; readonly isStartedByGit: boolean }
    | undefined
  /** prepare-commit-msg: git comes to our part of post-commit, too. */
  readonly isFollowed: boolean
  /** The git that ran the hook was killed. */
  readonly isOrphan: () => boolean
  /** The git that runs the hook. */
  readonly committer: () => Committer | undefined
  readonly isMerging: () => boolean
  /** A commit that a sequence makes, or `--continue` after one: nothing else has looked at it. */
  readonly isGated: () => boolean
  /** A rebase, cherry-pick or revert is in progress. */
  readonly isSequencing: () => boolean
  /** The same, or one that needs no second step: git leaves no sign of it but its own process. */
  readonly isReplaying: () => boolean
  readonly say: Say
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
  if (context.isSequencing() && context.commitProcess()?.isStartedByGit === true) return 0
  // No commit comes of it, and what was staged nobody would take out.
  if (context.isOrphan()) return 0
  await settleMarks(repository, say, { isNewCommit: true })
  const settings = await readSettings(repository)
  const isPartial = isPathspecCommit(context.indexFile)
  const settled = await settleEvents(repository, settings, say)
  if (!settled.mayCommit) return 1
  if (settled.isIndexChanged && !isPartial && !(await willCommit(context))) {
    say(NOTHING_LEFT)
    return 1
  }
  // `git commit -- path` commits what it names and nothing else.
  const pending = isPartial ? [] : settled.pending
  if (!isPartial && !(await willCommit(context))) {
    if (pending.length > 0) say(PENDING_ONLY)
    return 0
  }
  await renderOutOfGit(repository, settings, say)
  const committer = context.committer()
  // `git commit -- path`: git prepared the real index before this hook, with what was changed back here.
  const mustFollow = isPartial && settled.isIndexChanged
  await takeIn(repository, settings, { committer, pending, isPartial, mustFollow }, say)
  return 0
}

/** `mode: untracked`: the worktree's `current.md` is in nobody's way, and follows at once. */
async function renderOutOfGit(
  repository: RepositoryPort,
  { root, mode }: LedgerMode,
  say: Say,
): Promise<void> {
  if (mode !== 'untracked') return
  const place = await placeOfIndex(repository, root)
  if (isOutOfGit(place, mode)) await renderWorktree(repository, root, place, say)
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
  if (context.isMerging() || (await context.repository.index.differsFromHead())) return true
  const words = context.commitProcess()?.words ?? []
  // Git takes `--amend` abbreviated; `--allow-empty` has a longer sibling and cannot be.
  return words.some((word) => word === '--allow-empty' || /^--am(?:e|en|end)?$/.test(word))
}

/** `git commit -- path` (also `--only`) builds the commit in an index of its own. */
function isPathspecCommit(indexFile: string | undefined): boolean {
  return /(?:^|\/)next-index-[^/]*$/.test(indexFile ?? '')
}

async function prepareMessage(context: HookContext): Promise<number> {
  if (context.isFollowed) await takeOut(context.repository, context.committer())
  await settleMarks(context.repository, context.say)
  const status = context.isGated() ? await gateSequence(context) : 0
  if (status !== 0) return status
  const sessions = await context.sessions('prepare-commit-msg')
  await sessions?.link(context.args, context.isMerging() || context.isReplaying())
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
  await sessions?.followCommit(context.isReplaying())
  return 0
}

async function postRewrite(context: HookContext): Promise<number> {
  const sessions = await context.sessions('post-rewrite')
  if (sessions !== undefined) await sessions.followRewrite(await context.stdin())
  return warnIfStale(context)
}

/** Rebase, cherry-pick and revert run no other hook that can stop them. Never stages anything. */
async function gateSequence({ repository, say }: HookContext): Promise<number> {
  const { root, mode } = await readSettings(repository)
  const result = await freshnessOf(repository.objects, await placeOfIndex(repository, root), mode)
  if (result.fresh) return 0
  const parent = await placeOfRevision(repository, 'HEAD', root)
  if (parent.current === undefined) return 0 // nobody kept a ledger here yet
  if (!(await freshnessOf(repository.objects, parent, mode)).fresh) return 0
  say(
    `ledger-git: stopped: this step would make ${ledgerPaths(root).current} stale (${result.reason})\n` +
      '  next: ledger-git resolve, then continue (git status names the command)',
  )
  return 1
}

async function warnIfStale({ repository, say }: HookContext): Promise<number> {
  await settleMarks(repository, say)
  const { root, mode } = await readSettings(repository)
  const head = await placeOfRevision(repository, 'HEAD', root)
  const index = mode === 'untracked' ? await placeOfIndex(repository, root) : undefined
  if (index !== undefined && isOutOfGit(index, mode)) {
    await renderWorktree(repository, root, index, say)
  }
  const state = await freshnessOf(repository.objects, head, mode)
  if (!state.fresh) {
    say(
      `ledger-git: ${ledgerPaths(root).current} in HEAD is stale (${state.reason})\n` +
        '  next: ledger-git resolve --commit',
    )
  }
  return 0
}

/** Blocks when the ledger of a pushed tip is stale. */
async function prePush(context: HookContext): Promise<number> {
  const { repository, stdin, say, args } = context
  await settleMarks(repository, say)
  let blocked = 0
  const lines = (await stdin()).split('\n')
  for (const line of lines) {
    const [, oid, ref] = line.split(' ')
    if (oid === undefined || !ref?.startsWith('refs/heads/') || isNullOid(oid)) continue
    const state = await tipFreshness(repository, oid, say)
    if (state.fresh) continue
    blocked = 1
    say(
      `ledger-git: push stopped: the ledger of ${ref.slice('refs/heads/'.length)} (${oid.slice(0, 9)}) ` +
        `is stale: ${state.reason}\n` +
        '  next: on that branch, ledger-git resolve --commit, then push again (to push as it is: LEDGER_GIT=0 git push)',
    )
  }
  if (blocked !== 0) return blocked
  const sessions = await context.sessions('pre-push')
  const refs = lines.flatMap((line) => line.split(' ')[2] ?? [])
  await sessions?.push(args[0] ?? 'origin', refs)
  return 0
}

async function tipFreshness(
  repository: RepositoryPort,
  oid: string,
  say: Say,
): Promise<Pick<Freshness, 'fresh' | 'reason'>> {
  try {
    const { root, mode } = await settingsOfRevision(repository, oid)
    return await freshnessOf(repository.objects, await placeOfRevision(repository, oid, root), mode)
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'FORMAT_TOO_NEW') throw error
    say(`ledger-git: not checked: ${error.message}\n  next: ${error.next}`)
    return { fresh: true, reason: '' }
  }
}
