/** Git's hooks. Post-hooks always return 0; pre-hooks only block in the cases that docs/git-behaviour.md lists. */

import { LedgerError } from '../../core/errors/errors.ts'
import { finishCommit, takeOut } from '../commit/commit-marks.ts'
import { restoreLeftOut } from '../commit/left-out-merges.ts'
import { renderOutOfGit } from '../commit/refresh-current.ts'
import { settleMarks } from '../commit/settle-marks.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { ledgerPaths, placeOfIndex, placeOfRevision } from '../ledger/ledger-sources.ts'
import type { HookContext, HookName } from './hook-context.ts'
import { isSequencing, ledgerOf } from './hook-context.ts'
import { preCommit } from './pre-commit.ts'
import { unaskedPush } from './private-refs.ts'
import { pushedTips, staleTips } from './stale-tips.ts'

/** Runs a hook and returns its exit status. */
export async function runHook(name: HookName, context: HookContext): Promise<number> {
  try {
    return await hooks[name](context)
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    // An unreadable ledger must never prevent anybody from committing or pushing other work.
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
  // A rebase that has just checked out its base can still make the ledger fresh; post-rewrite looks at the result.
  'post-checkout': (context) => warnIfStale(context, isSequencing(context)),
  'pre-push': prePush,
}

/** True during a sequence, including one with a single step, of which git's own process is the only sign. */
function isReplaying(context: HookContext): boolean {
  return isSequencing(context) || context.isReplayCommand()
}

async function prepareMessage(context: HookContext): Promise<number> {
  const { repository, say, args, hasGitFile } = context
  if (context.isFollowed) await takeOut(repository, context.committer())
  await settleMarks(repository, say)
  const isMerging = hasGitFile('MERGE_HEAD')
  // For a commit made by a sequence, or by `--continue` after one, this is the only check.
  const isGated = isSequencing(context) || (hasGitFile('MERGE_MSG') && !isMerging)
  if (isGated && !(await passesGate(context))) return 1
  const sessions = await context.sessions('prepare-commit-msg')
  await sessions?.link(args, isMerging || isReplaying(context))
  return 0
}

/** The shim runs this for a draft to which `link` added a trailer. */
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
  if (context.args[0] === 'rebase') await restoreLeftOut(await ledgerOf(context))
  return warnIfStale(context)
}

/** Rebase, cherry-pick and revert run no other hook that can stop them. This check never stages anything. */
async function passesGate(context: HookContext): Promise<boolean> {
  const { repository, settings, say } = await ledgerOf(context)
  const { hasGitFile } = context
  const { root, mode } = settings
  const result = await freshnessOf(repository.objects, await placeOfIndex(repository, root), mode)
  if (result.fresh) return true
  const parent = await placeOfRevision(repository, 'HEAD', root)
  if (parent.current === undefined) return true // there was no ledger here yet
  if (!(await freshnessOf(repository.objects, parent, mode)).fresh) return true
  // Git 2.42.1 and newer redo a pick that stopped before its commit, and commit nothing that is staged.
  const isPickRedone = hasGitFile('rebase-merge') && !hasGitFile('rebase-merge/message')
  const next = isPickRedone
    ? 'git commit --no-edit, git rebase --continue'
    : 'then continue (git status names the command)'
  say(
    `ledger-git: stopped: this step would make ${ledgerPaths(root).current} stale (${result.reason})\n` +
      `  next: ledger-git resolve, ${next}`,
  )
  return false
}

async function warnIfStale(context: HookContext, isUnfinished = false): Promise<number> {
  const { repository, say } = context
  await settleMarks(repository, say)
  const ledger = await ledgerOf(context)
  const { root, mode } = ledger.settings
  await renderOutOfGit(ledger)
  const head = await placeOfRevision(repository, 'HEAD', root)
  const state = await freshnessOf(repository.objects, head, mode)
  if (!state.fresh && !isUnfinished) {
    say(
      `ledger-git: ${ledgerPaths(root).current} in HEAD is stale (${state.reason})\n` +
        '  next: ledger-git resolve --commit',
    )
  }
  return 0
}

/**
 * Blocks if the push would publish what sessions hold, or if the ledger of a pushed tip is stale, and once for a tip that
 * is work in progress.
 */
async function prePush(context: HookContext): Promise<number> {
  const { repository, stdin, say, args } = context
  await settleMarks(repository, say)
  const lines = (await stdin()).split('\n')
  const [remote = 'origin'] = args
  const unasked = unaskedPush(lines, remote, context.isAskedToPush)
  if (unasked !== undefined) {
    say(unasked)
    return 1
  }
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
  await sessions?.push(remote, refs)
  return 0
}
