/**
 * Archiving: events older than the retention leave `events/`; what they decided stays, in a snapshot.
 *
 * Staged, like everything that `git commit` is to take; with `commit`, a commit of the ledger's own.
 * New files are complete before anything goes: whenever this is interrupted, an event is there at
 * least once, and being there twice changes nothing.
 */

import { nameToText } from '../../core/git-objects.ts'
import type { Settings } from '../../core/settings.ts'
import { LedgerError } from '../../core/errors.ts'
import type { LedgerChange } from '../commit-ledger.ts'
import { commitLedger, requireSafe } from '../commit-ledger.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Say } from '../refresh-current.ts'
import { refreshIndex } from '../refresh-current.ts'
import type { ArchivePlan, NewFile } from './plan.ts'

/** Carries out a plan, as a commit of the ledger's own. Throws `COMMIT_SKIPPED` before it begins. */
export async function commitArchive(
  repository: RepositoryPort,
  settings: Settings,
  plan: ArchivePlan,
  say: Say,
): Promise<string | undefined> {
  await requireSafe(repository, settings)
  const change = await moveFiles(repository, plan)
  const subject = `ledger: archive ${count(plan.archived.length, 'event')}`
  return (await commitLedger(repository, settings, subject, say, change)).commit
}

/** Carries out a plan in the worktree and the index. */
export async function stageArchive(
  repository: RepositoryPort,
  settings: Settings,
  plan: ArchivePlan,
  say: Say,
): Promise<LedgerChange> {
  await requireSettled(repository)
  const change = await moveFiles(repository, plan)
  await refreshIndex(repository, settings, say)
  return change
}

async function moveFiles(repository: RepositoryPort, plan: ArchivePlan): Promise<LedgerChange> {
  for (const file of plan.written) await writeNew(repository, file)
  const added = plan.written.map(({ path }) => path)
  await repository.index.addFiles(added)
  await repository.index.removeAll(plan.removed)
  for (const path of plan.removed) await repository.worktree.remove(path)
  return { added, removed: plan.removed }
}

/** The middle of a merge or rebase is no time to stage anything. */
async function requireSettled(repository: RepositoryPort): Promise<void> {
  const obstacle = await repository.commits.sequence()
  if (obstacle === undefined) return
  throw new LedgerError('BUSY', `nothing was archived: ${obstacle}`, 'finish it, then run it again')
}

/** A file of that name is there already: the same event, archived before, or somebody's own. */
async function writeNew(repository: RepositoryPort, { path, text }: NewFile): Promise<void> {
  const name = nameToText(path)
  if (await repository.worktree.create(name, text)) return
  const bytes = await repository.worktree.readBytesName(path)
  if (
    Buffer.from(bytes ?? [])
      .toString('utf8')
      .replaceAll('\r\n', '\n') === text
  )
    return
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `${name} is there and is not the archived event`,
    `move it away, then run the command again`,
  )
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
