/**
 * Archiving: events older than the retention period leave `events/`; what they decided stays in a snapshot.
 *
 * The changes are staged for the next `git commit`, or, with `commit`, go into the ledger's own commit. New files are
 * complete before anything is removed: if this is interrupted, each event still exists at least once, and existing
 * twice changes nothing.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import { commitLedger, CommitSkipped, notDone, requireSafe } from '../commit/commit-ledger.ts'
import { stageFresh } from '../commit/refresh-current.ts'
import { isSameText } from '../ledger/event-files.ts'
import { refuseNewerFormat } from '../ledger/freshness.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { LedgerContext, RepositoryPort } from '../ports.ts'
import type { ArchivePlan, NewFile } from './plan.ts'
import { changesGit } from './plan.ts'

/** How many files wait for the disk at the same time: few enough for any limit on open files. */
const AT_ONCE = 64

const refusal = notDone('nothing was archived')

/** Throws `BUSY` if nothing may be staged at the moment, or `COMMIT_SKIPPED`. */
export async function requireArchivable(
  { repository, settings }: LedgerContext,
  isCommit: boolean,
): Promise<void> {
  const sequence = await repository.commits.sequence()
  if (sequence !== undefined) {
    const next = 'finish it, then run it again'
    throw new LedgerError('BUSY', `nothing was archived: ${sequence}`, next)
  }
  if (isCommit) await requireSafe(repository, settings, refusal)
}

/**
 * Carries out a plan. Returns the commit, if one was requested. Throws `COMMIT_SKIPPED`, `FORMAT_TOO_NEW`, or `BUSY` if
 * nothing can be staged; in these cases nothing has changed.
 */
export async function archiveEvents(
  context: LedgerContext,
  plan: ArchivePlan,
  { commit: isCommit }: { commit: boolean },
): Promise<string | undefined> {
  const { repository, settings } = context
  await requireArchivable(context, isCommit)
  for (const path of [...plan.leftBehind, ...plan.leftArchived])
    await repository.worktree.remove(path)
  if (!changesGit(plan)) return undefined
  // Check first: a current.md of a newer format could not be replaced after everything else was staged.
  const current = await repository.worktree.read(ledgerPaths(settings.root).current)
  refuseNewerFormat(Buffer.from(current ?? []).toString('utf8'))
  const created: ByteName[] = []
  const added = plan.written.map(({ path }) => path)
  let commit: string | undefined
  try {
    await writeAll(repository, plan.written, created)
    if (isCommit) {
      const number = plan.archived.length
      const subject = `archive ${number} event${number === 1 ? '' : 's'}`
      commit = await commitLedger(context, subject, { added, removed: plan.removed })
      await unstage(context, plan.removed)
    } else {
      await stageFresh(context, async (index) => {
        await index.addFiles(added)
        await index.change(plan.removed.map((path) => ({ path, after: undefined })))
      })
    }
  } catch (error) {
    const staged = new Set((await repository.index.list(settings.root)).map(({ path }) => path))
    for (const path of created) if (!staged.has(path)) await repository.worktree.remove(path)
    throw error instanceof CommitSkipped ? refusal(error.reason, 'run it again') : error
  }
  for (const path of plan.removed) await repository.worktree.remove(path)
  return commit
}

/** Unstages removed files that were staged but never committed: otherwise the next commit would add them again. */
async function unstage(context: LedgerContext, removed: readonly ByteName[]): Promise<void> {
  const { repository, settings } = context
  const staged = await repository.index.list(settings.root)
  const gone = new Set(removed)
  const left = staged.filter(({ path }) => gone.has(path))
  if (left.length === 0) return
  await stageFresh(context, (index) =>
    index.change(left.map(({ path }) => ({ path, after: undefined }))),
  )
}

/** Adds the files that did not exist to `created`. Nothing is still being written when this throws. */
async function writeAll(
  repository: RepositoryPort,
  files: readonly NewFile[],
  created: ByteName[],
): Promise<void> {
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const writing = files.slice(from, from + AT_ONCE).map(async (file) => {
      if (await writeNew(repository, file)) created.push(file.path)
    })
    const results = await Promise.allSettled(writing)
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

/** False if the file already exists with the same text. Throws if it exists with a different one. */
async function writeNew({ worktree }: RepositoryPort, { path, text }: NewFile): Promise<boolean> {
  const name = nameToText(path)
  if (await worktree.create(name, text)) return true
  if (isSameText(await worktree.readBytesName(path), Buffer.from(text))) return false
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `${name} exists but is not the archived event`,
    `move it away, then run the command again`,
  )
}
