/**
 * The ledger's own commit: pending events and a fresh `current.md`, nothing else.
 *
 * The commit is built without touching the user's work, and is abandoned if it would get in the way of a git
 * command of theirs. While the branch is locked, the real index gets exactly the committed entries, except where the
 * index no longer equals the old HEAD. Otherwise the user's next commit would delete the events again.
 */

import type { Blobs, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { changedEntries, isSame, pathsTo } from '../../core/commit/commit-mark.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, textToName } from '../../core/git/objects.ts'
import { cutText } from '../../core/session/bounds.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { sortPending, untrackedEvents } from '../ledger/pending-events.ts'
import type { LedgerContext, RepositoryPort } from '../ports.ts'
import { MOVED } from '../ports/history.ts'
import { settle } from './commit-marks.ts'
import { settleMarks } from './settle-marks.ts'
import { blobsIn, placeOfBlobs, putIntoTree } from './commit-tree.ts'
import { readCommit } from '../shadow/git-trees.ts'
import { copiesOf } from './event-copies.ts'
import { currentMode, renderOutOfGit, storeCurrent } from './refresh-current.ts'

/** Ledger files that the commit adds or removes besides pending events. */
export interface LedgerChange {
  readonly added: readonly ByteName[]
  readonly removed: readonly ByteName[]
  /** The untracked events, if git has just listed them. */
  readonly untracked?: readonly ByteName[] | undefined
}

/** Why no commit will include pending events, and what to do about it. */
export interface Untaken {
  readonly what: string
  readonly next: string
}

export interface CommitContext extends LedgerContext {
  readonly untaken?: Untaken | undefined
}

/** The longest subject that commit linters accept. */
const MAX_SUBJECT = 100

/** Several of our own commits may run at once; each one that finds the branch moved has to retry. */
const MAX_ATTEMPTS = 5

/**
 * Returns the commit, or undefined if there was nothing to commit. The subject is `what` as a Conventional Commit:
 * hosts lint the subjects of all commits on a branch, ours included. Throws `COMMIT_SKIPPED` (events stay pending) if
 * a commit is not safe at the moment.
 */
export async function commitLedger(
  context: CommitContext,
  what: string,
  change: LedgerChange = { added: [], removed: [] },
): Promise<string | undefined> {
  await settleMarks(context.repository, context.say)
  for (let attempt = 1; ; attempt++) {
    try {
      const untracked = attempt === 1 ? change.untracked : undefined
      const subject = cutText(oneLine(`chore(ledger): ${what}`, ''), MAX_SUBJECT)
      return await commitOnce(context, subject, { ...change, untracked })
    } catch (error) {
      if (error instanceof BranchMoved && attempt < MAX_ATTEMPTS) continue
      throw error instanceof CommitSkipped
        ? new CommitSkipped(error.reason, context.untaken)
        : error
    }
  }
}

async function commitOnce(
  context: LedgerContext,
  subject: string,
  { added, removed, untracked }: LedgerChange,
): Promise<string | undefined> {
  const { repository, settings } = context
  const { worktree, writer, place } = repository
  const parent = await requireSafe(repository, settings)
  const found = untracked ?? (await untrackedEvents(repository, settings.root))
  const { whole: pending } = await sortPending(repository, found)
  const { current, events, archive } = ledgerPaths(settings.root)
  const paths = [...[current, events, archive].map(textToName), ...added]
  const { tree: top } = await readCommit(repository, parent)
  const before = await blobsIn(repository, top, paths)
  const after = new Map(before)
  const files = [...pending, ...added]
  for (const [i, oid] of (await worktree.hashFiles(files, true)).entries()) {
    const path = files[i] ?? ''
    const mode = await modeOf(repository, path, before.get(path)?.mode)
    after.set(path, { mode, oid })
  }
  for (const path of removed) after.delete(path)
  const { oid: text } = await storeCurrent(
    context,
    placeOfBlobs(after, settings.root, place.format),
  )
  const name = textToName(current)
  if (text !== undefined)
    after.set(name, { mode: currentMode(before.get(name)?.mode ?? ''), oid: text })
  const entries = changedEntries(before, after, before)
  if (entries.length === 0) return undefined
  const tree = (await putIntoTree(repository, top, entries)) ?? writer.tree([])
  writer.flush()
  const commit = await repository.commits.create(tree, parent, subject)
  await land(context, { commit, parent, subject, entries, pending, whole: added })
  await renderOutOfGit(context)
  return commit
}

/** The mode that `git add` would record; with another mode, the file would look changed right after the commit. */
async function modeOf(
  repository: RepositoryPort,
  path: ByteName,
  before = '100644',
): Promise<string> {
  const mode = repository.worktree.isExecutable(path) ? '100755' : '100644'
  if (mode === before || !isRegularFile(before)) return mode
  const isIgnored = /^(?:false|no|off|0)$/i.test((await repository.config('core.fileMode')) ?? '')
  return isIgnored ? before : mode
}

export interface Landing {
  readonly commit: string
  /** The commit at which the branch must be. */
  readonly parent: string
  readonly subject: string
  readonly entries: readonly MarkedEntry[]
  readonly pending: readonly ByteName[]
  /** Paths committed from the worktree as they are; whatever was staged for them is superseded. */
  readonly whole?: readonly ByteName[]
}

/** Moves the branch and the index together: never one without the other, even if another process interferes. */
export async function land(
  { repository, say }: Pick<LedgerContext, 'repository' | 'say'>,
  { commit, parent, subject, entries: made, pending, whole = [] }: Landing,
): Promise<void> {
  const { marks, commits } = repository
  const copies = await copiesOf(repository, made, pending)
  let [entries, index]: [readonly MarkedEntry[], Blobs] = [made, new Map()]
  // Everything slow happens before the branch is locked, because other commits have to wait for the lock.
  const change = await repository.prepareIndex(async (copy) => {
    const now = await copy.blobs(...pathsTo(made))
    // As `git commit -- path` does: otherwise the user's next commit would restore an older staged version.
    entries = made.map((entry) => {
      const before = now.get(entry.path)
      if (!whole.includes(entry.path) || isSame(before, entry.before)) return entry
      return { ...entry, before, isClean: false }
    })
    // Other paths change only if nobody has staged something else. Keep `skip-worktree` as it is.
    const free = entries.flatMap(({ path, before, after }) => {
      if (!isSame(now.get(path), before)) return []
      const skipWorktree = now.get(path)?.skipWorktree === true
      return { path, after: after && { ...after, skipWorktree } }
    })
    await copy.change(free)
    index = new Map([...now, ...afterOf(free)])
  })
  const about = { committer: commits.self(), indexFile: undefined, isOwn: true, isPartial: false }
  const mark = marks.save({ id: marks.newId(), ...about, entries, copies })
  let [isApplied, isLanded] = [false, false]
  try {
    const obstacle = await commits.advance(commit, parent, subject, async () => {
      const before = otherGitRunning(repository)
      if (before !== undefined) return before
      isApplied = await change.apply()
      // Check again as late as possible: a git command may have started in the meantime.
      return isApplied ? otherGitRunning(repository) : MOVED
    })
    if (obstacle === MOVED) throw new BranchMoved(obstacle)
    if (obstacle !== undefined) throw new CommitSkipped(obstacle)
    isLanded = true
  } finally {
    change.discard()
    // If we lost a race there is nothing to remove: the winner's index matches HEAD.
    if (!isApplied) marks.remove(mark.id)
    else {
      // If the user named another index, the worktree's own index has not changed.
      const isInStep = isLanded && repository.indexFile === undefined
      await settle(repository, mark, say, isInStep ? { head: afterOf(entries), index } : undefined)
    }
  }
  // The worktree now matches. If the index is busy and cannot be refreshed, git compares the contents once more.
  const paths = pathsTo(entries.filter(({ after }) => after !== undefined))
  await repository.changeIndex(({ index: now }) => now.refresh(...paths)).catch(ignoreBusy)
}

function ignoreBusy(error: unknown): void {
  if (!(error instanceof LedgerError)) throw error
}

function afterOf(entries: readonly Pick<MarkedEntry, 'path' | 'after'>[]): Blobs {
  return new Map(entries.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]])))
}

/** A mark also reveals a user's commit that the process table does not show, for example in another container. */
function otherGitRunning({ commits, marks }: RepositoryPort): string | undefined {
  const isMarked = () => marks.list().some((mark) => !mark.isOwn && marks.isAtWork(mark))
  const other = commits.gitAtWork() ?? (isMarked() ? 'another commit' : undefined)
  return other && `${other} is at work in this worktree`
}

/**
 * HEAD's commit, if our own commit may be made on top of it. Throws `COMMIT_SKIPPED`, or what `refusal` returns; `way`
 * is what would make the commit possible.
 */
export async function requireSafe(
  repository: RepositoryPort,
  settings: Settings,
  refusal: (reason: string, way?: string) => LedgerError = (reason) => new CommitSkipped(reason),
): Promise<string> {
  // First, since a rebase or bisect also detaches HEAD.
  const sequence = await repository.commits.sequence()
  if (sequence !== undefined) throw refusal(sequence, 'finish it')
  const { branch, oid } = await repository.history.head()
  if (oid === undefined) throw refusal('the branch has no commit yet', 'make a commit')
  if (branch === undefined) throw refusal('HEAD is detached', 'switch to a branch')
  if (settings.protectedBranches.includes(branch))
    throw refusal(`${branch} is listed in commit.protected`, 'switch to another branch')
  if (await repository.commits.areSigned()) throw refusal('commits are signed here')
  return oid
}

/** For a command that does nothing if it cannot commit; `what` says what was not done. */
export function notDone(what: string): (reason: string, way?: string) => LedgerError {
  return (reason, way) => {
    const next = `${way === undefined ? '' : `${way}, or `}leave out --commit`
    return new LedgerError('COMMIT_SKIPPED', `${what}: ${reason}`, next)
  }
}

/** The commit was not made; pending events wait for the next one, unless it will not include them either. */
export class CommitSkipped extends LedgerError {
  readonly reason: string

  constructor(reason: string, untaken?: Untaken) {
    const next = 'nothing is lost: pending events go into your next commit'
    const what = untaken === undefined ? reason : `${reason}; ${untaken.what}`
    super('COMMIT_SKIPPED', `the ledger was not committed: ${what}`, untaken?.next ?? next)
    this.reason = reason
  }
}

class BranchMoved extends CommitSkipped {}
