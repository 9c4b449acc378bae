/**
 * Archiving: events older than the retention leave `events/`; what they decided stays, in a snapshot.
 *
 * Staged, like everything that `git commit` is to take; with `commit`, a commit of the ledger's own.
 * New files are complete before anything goes: whenever this is interrupted, an event is there at
 * least once, and being there twice changes nothing.
 */

import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { commitLedger, requireSafe } from '../commit/commit-ledger.ts'
import type { IndexPort, RepositoryPort } from '../ports.ts'
import type { Say } from '../commit/refresh-current.ts'
import { stageFresh } from '../commit/refresh-current.ts'
import type { ArchivePlan, NewFile } from './plan.ts'

/** Carries out a plan, as a commit of the ledger's own. Throws `COMMIT_SKIPPED`; nothing has changed then. */
export async function commitArchive(
  repository: RepositoryPort,
  settings: Settings,
  plan: ArchivePlan,
  say: Say,
): Promise<string | undefined> {
  await requireSafe(repository, settings)
  const created = await writeFiles(repository, plan)
  const change = { added: plan.written.map(({ path }) => path), removed: plan.removed }
  const subject = `ledger: archive ${count(plan.archived.length, 'event')}`
  try {
    const { commit } = await commitLedger(repository, settings, subject, say, change)
    for (const path of plan.removed) await repository.worktree.remove(path)
    return commit
  } catch (error) {
    for (const path of created) await repository.worktree.remove(path)
    throw error
  }
}

/** Carries out a plan in the worktree and the index. */
export async function stageArchive(
  repository: RepositoryPort,
  settings: Settings,
  plan: ArchivePlan,
  say: Say,
): Promise<void> {
  await requireSettled(repository)
  await writeFiles(repository, plan)
  const added = plan.written.map(({ path }) => path)
  const change = async (index: IndexPort) => {
    await index.addFiles(added)
    await index.removeAll(plan.removed)
  }
  await stageFresh(repository, settings, change, say)
  for (const path of plan.removed) await repository.worktree.remove(path)
}

/** Returns the paths of the files that were not there before. */
async function writeFiles(repository: RepositoryPort, plan: ArchivePlan): Promise<ByteName[]> {
  const created: ByteName[] = []
  for (const file of plan.written) if (await writeNew(repository, file)) created.push(file.path)
  return created
}

/** The middle of a merge or rebase is no time to stage anything. */
async function requireSettled(repository: RepositoryPort): Promise<void> {
  const obstacle = await repository.commits.sequence()
  if (obstacle === undefined) return
  throw new LedgerError('BUSY', `nothing was archived: ${obstacle}`, 'finish it, then run it again')
}

/** A file of that name is there already: the same event, archived before, or somebody's own. */
async function writeNew(repository: RepositoryPort, { path, text }: NewFile): Promise<boolean> {
  const name = nameToText(path)
  if (await repository.worktree.create(name, text)) return true
  const bytes = await repository.worktree.readBytesName(path)
  if (
    Buffer.from(bytes ?? [])
      .toString('utf8')
      .replaceAll('\r\n', '\n') === text
  )
    return false
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `${name} is there and is not the archived event`,
    `move it away, then run the command again`,
  )
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
