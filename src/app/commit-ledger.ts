/**
 * A commit of the ledger's own: pending events and a fresh `current.md`, nothing else.
 *
 * Built beside the user's work. The real index gets exactly the committed entries first, where they
 * still equal the old HEAD's: otherwise the user's next commit would delete the events again.
 */

import { LedgerError } from '../core/errors.ts'
import type { ByteName } from '../core/git-objects.ts'
import type { Settings } from '../core/settings.ts'
import { freshnessOf } from './freshness.ts'
import type { IndexPort, RepositoryPort } from './ports.ts'
import { ledgerPaths, pendingEvents, placeOfIndex, placeOfRevision } from './ledger-places.ts'
import type { Say } from './refresh-current.ts'
import { isOutOfGit, nameHandKept, renderWorktree, syncWorktree } from './refresh-current.ts'

export interface LedgerCommit {
  /** Undefined when there was nothing to commit. */
  readonly commit: string | undefined
}

/** Ledger files that the commit takes along or takes out; the real index has them so already. */
export interface LedgerChange {
  readonly added: readonly ByteName[]
  readonly removed: readonly ByteName[]
}

/** Throws `COMMIT_SKIPPED` (events stay pending) when a commit is not safe just now. */
export async function commitLedger(
  repository: RepositoryPort,
  settings: Settings,
  subject: string,
  say: Say,
  change: LedgerChange = { added: [], removed: [] },
): Promise<LedgerCommit> {
  const { root, mode } = settings
  const head = await requireSafe(repository, settings)
  const temporary = await repository.commits.temporaryIndex()
  try {
    await temporary.index.addFiles([...(await pendingEvents(repository, root)), ...change.added])
    await temporary.index.removeAll(change.removed)
    const place = await placeOfIndex({ place: repository.place, index: temporary.index }, root)
    const state = await freshnessOf(repository.objects, place, mode)
    const paths = ledgerPaths(root)
    if (!state.fresh && state.expected !== undefined) {
      const oid = await repository.writeBlob(state.expected)
      await temporary.index.put(paths.current, oid, place.currentEntry?.skipWorktree)
    }
    const tree = await temporary.writeTree()
    const old = await repository.objects.find(`${head}^{tree}`)
    if (old?.oid === tree) return { commit: undefined }
    const before = (await placeOfRevision(repository, head, root)).current?.oid
    if (before !== undefined) await nameHandKept(repository, root, before, say)
    const commit = await repository.commits.create(tree, head, subject)
    await adoptEntries(
      repository.index,
      temporary.index,
      await headEntries(repository, root),
      paths,
    )
    if (!(await repository.commits.advance(commit, head, subject))) {
      throw skipped('the branch moved meanwhile')
    }
    if (state.expected !== undefined && place.currentEntry?.skipWorktree !== true) {
      const known = before === undefined ? [] : [before]
      await syncWorktree(repository, root, state.expected, known, say)
      await repository.index.refresh(paths.current)
    }
    if (isOutOfGit(place, mode)) await renderWorktree(repository, root, place, say)
    return { commit }
  } finally {
    temporary.dispose()
  }
}

/** HEAD's commit, on which a commit of the ledger's own may be put. Throws `COMMIT_SKIPPED`. */
export async function requireSafe(repository: RepositoryPort, settings: Settings): Promise<string> {
  const { branch, oid } = await repository.history.head()
  if (oid === undefined) throw skipped('the branch has no commit yet')
  if (branch === undefined) throw skipped('HEAD is detached')
  if (settings.protectedBranches.includes(branch)) {
    throw skipped(`${branch} is listed in commit.protected`)
  }
  const obstacle = await repository.commits.obstacle()
  if (obstacle !== undefined) throw skipped(obstacle)
  return oid
}

/** Copies the new entries into the real index where it still agrees with the old HEAD. */
async function adoptEntries(
  real: IndexPort,
  built: IndexPort,
  head: ReadonlyMap<string, string>,
  paths: { current: string; events: string },
): Promise<void> {
  const [mine, wanted] = await Promise.all([
    real.list(paths.current, paths.events),
    built.list(paths.current, paths.events),
  ])
  const byPath = new Map(mine.map((entry) => [entry.path, entry]))
  const changed = wanted.filter((entry) => {
    const now = byPath.get(entry.path)
    return now?.oid !== entry.oid && now?.oid === head.get(entry.path)
  })
  await real.putAll(changed)
}

/** Ledger entries of HEAD: path → blob. */
async function headEntries(repository: RepositoryPort, root: string): Promise<Map<string, string>> {
  const place = await placeOfRevision(repository, 'HEAD', root)
  const paths = ledgerPaths(root)
  const bytes = (path: string) => Buffer.from(path).toString('latin1')
  const entries = (place.entries ?? []).map(({ name, oid }): [string, string] => [
    `${bytes(paths.events)}/${name}`,
    oid,
  ])
  if (place.current !== undefined) entries.push([bytes(paths.current), place.current.oid])
  return new Map(entries)
}

function skipped(reason: string): LedgerError {
  return new LedgerError(
    'COMMIT_SKIPPED',
    `the ledger was not committed: ${reason}`,
    'nothing is lost: pending events go into your next commit',
  )
}
