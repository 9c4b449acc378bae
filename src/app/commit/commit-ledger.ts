/**
 * A commit of the ledger's own: pending events and a fresh `current.md`, nothing else.
 *
 * Built beside the user's work, and given up rather than get into the way of a git of theirs. The real
 * index gets exactly the committed entries, where they still equal the old HEAD's, while the branch is
 * locked: otherwise the user's next commit would delete the events again.
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

/** Ledger files that the commit takes along or takes out, beside pending events. */
export interface LedgerChange {
  readonly added: readonly ByteName[]
  readonly removed: readonly ByteName[]
  /** The untracked events, where git has listed them just now. */
  readonly untracked?: readonly ByteName[] | undefined
}

/** What linters of commits let a subject be. */
const SUBJECT = 100

/** Commits of our own that end at once move the branch under each other's feet. */
const ATTEMPTS = 5

/**
 * Returns the commit; undefined when there was nothing to commit. Its subject is `what` as a Conventional Commit:
 * hosts lint the subjects of all commits that a branch brings, ours among them. Throws `COMMIT_SKIPPED` (events stay
 * pending) when a commit is not safe just now.
 */
export async function commitLedger(
  context: LedgerContext,
  what: string,
  change: LedgerChange = { added: [], removed: [] },
): Promise<string | undefined> {
  await settleMarks(context.repository, context.say)
  for (let attempt = 1; ; attempt++) {
    try {
      const untracked = attempt === 1 ? change.untracked : undefined
      const subject = cutText(oneLine(`chore(ledger): ${what}`, ''), SUBJECT)
      return await commitOnce(context, subject, { ...change, untracked })
    } catch (error) {
      if (!(error instanceof BranchMoved) || attempt === ATTEMPTS) throw error
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

/** As `git add` has it: else the file would look changed as soon as the commit is made. */
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
  /** Where the branch must be. */
  readonly parent: string
  readonly subject: string
  readonly entries: readonly MarkedEntry[]
  readonly pending: readonly ByteName[]
  /** Taken as the worktree has them: what was staged of them before is in the commit, or given up there. */
  readonly whole?: readonly ByteName[]
}

/** Moves the branch and the index together: neither without the other, whoever comes in between. */
export async function land(
  { repository, say }: Pick<LedgerContext, 'repository' | 'say'>,
  { commit, parent, subject, entries: made, pending, whole = [] }: Landing,
): Promise<void> {
  const { marks, commits } = repository
  const copies = await copiesOf(repository, made, pending)
  let [entries, index]: [readonly MarkedEntry[], Blobs] = [made, new Map()]
  // All that takes time comes before the branch is locked: whoever commits then has to wait.
  const change = await repository.prepareIndex(async (copy) => {
    const now = await copy.blobs(...pathsTo(made))
    // As `git commit -- path` has it: the user's next commit would put an older staged version back.
    entries = made.map((entry) => {
      const before = now.get(entry.path)
      if (!whole.includes(entry.path) || isSame(before, entry.before)) return entry
      return { ...entry, before, isClean: false }
    })
    // Else only where nobody staged something else. What a sparse checkout leaves out stays so.
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
      const before = somebodyAtWork(repository)
      if (before !== undefined) return before
      isApplied = await change.apply()
      // Once more, as late as can be: a git may have started since.
      return isApplied ? somebodyAtWork(repository) : MOVED
    })
    if (obstacle === MOVED) throw new BranchMoved(obstacle)
    if (obstacle !== undefined) throw new CommitSkipped(obstacle)
    isLanded = true
  } finally {
    change.discard()
    // The loser of a race has nothing to take out; the winner's index holds what HEAD does.
    if (!isApplied) marks.remove(mark.id)
    else {
      // With an index that the user named, the worktree's own is still as it was.
      const isInStep = isLanded && repository.indexFile === undefined
      await settle(repository, mark, say, isInStep ? { head: afterOf(entries), index } : undefined)
    }
  }
  // The worktree has followed. Where the index is busy git compares the contents once more.
  const paths = pathsTo(entries.filter(({ after }) => after !== undefined))
  await repository.changeIndex(({ index: now }) => now.refresh(...paths)).catch(passBusy)
}

function passBusy(error: unknown): void {
  if (!(error instanceof LedgerError)) throw error
}

function afterOf(entries: readonly Pick<MarkedEntry, 'path' | 'after'>[]): Blobs {
  return new Map(entries.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after]])))
}

/** The mark is of a user's commit that the process table does not show, of another container for example. */
function somebodyAtWork({ commits, marks }: RepositoryPort): string | undefined {
  const isMarked = () => marks.list().some((mark) => !mark.isOwn && marks.isAtWork(mark))
  const other = commits.gitAtWork() ?? (isMarked() ? 'another commit' : undefined)
  return other && `${other} is at work in this worktree`
}

/** HEAD's commit, on which a commit of our own may be put. Throws `COMMIT_SKIPPED`, or as `refusal` says. */
export async function requireSafe(
  repository: RepositoryPort,
  settings: Settings,
  refusal: (reason: string) => LedgerError = (reason) => new CommitSkipped(reason),
): Promise<string> {
  const { branch, oid } = await repository.history.head()
  if (oid === undefined) throw refusal('the branch has no commit yet')
  if (branch === undefined) throw refusal('HEAD is detached')
  if (settings.protectedBranches.includes(branch)) {
    throw refusal(`${branch} is listed in commit.protected`)
  }
  const obstacle = await repository.commits.obstacle()
  if (obstacle !== undefined) throw refusal(obstacle)
  return oid
}

/** Pending events wait for the next commit. */
export class CommitSkipped extends LedgerError {
  constructor(reason: string) {
    const next =
      'nothing is lost: pending events go into your next commit (git commit --allow-empty makes one)'
    super('COMMIT_SKIPPED', `the ledger was not committed: ${reason}`, next)
  }
}

class BranchMoved extends CommitSkipped {}
