/** pre-commit: stages pending events and a fresh `current.md`, under a mark that says what is ours. */

import type { Committer, MarkedEntry } from '../../core/commit/commit-mark.ts'
import { changedEntries, withoutOthers } from '../../core/commit/commit-mark.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { textToName } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Say } from './refresh-current.ts'
import { refreshIndex } from './refresh-current.ts'
import { blobsIn, pathsTo } from './settle-marks.ts'

export interface TakeIn {
  readonly committer: Committer | undefined
  /** Pending events that the commit takes along. */
  readonly pending: readonly ByteName[]
  /** `git commit -- path` */
  readonly isPartial: boolean
  /** Something was changed back in the commit's own index: the real one has to follow. */
  readonly mustFollow: boolean
}

/** Changes the index alone; the worktree's `current.md` follows when the commit is made. */
export async function takeIn(
  repository: RepositoryPort,
  settings: Settings,
  { committer, pending, isPartial, mustFollow }: TakeIn,
  say: Say,
): Promise<void> {
  const { current, events } = ledgerPaths(settings.root)
  const id = repository.marks.newId()
  await repository.changeIndex(async (changed) => {
    const others = repository.marks.list().filter((mark) => mark.id !== id)
    const before = withoutOthers(await blobsIn(changed.index, [current, events]), others)
    await changed.index.addFiles(pending)
    await refreshIndex(changed, settings, say, { worktree: false })
    const after = await blobsIn(changed.index, [current, events])
    const touched = changedEntries(before, after, new Map())
    const head = await repository.history.blobsAt('HEAD', pathsTo(touched))
    const entries = changedEntries(before, after, head)
    const name = textToName(current)
    const now = after.get(name)
    // Nothing to stage, but a tool rewrote the worktree's copy: it follows the commit all the same.
    const isRewritten =
      now !== undefined &&
      !entries.some(({ path }) => path === name) &&
      (mustFollow || (await differsInWorktree(repository, name, now.oid)))
    if (isRewritten) entries.push({ path: name, before: now, isClean: false, after: now })
    if (entries.length === 0) return
    repository.marks.save({
      id,
      committer,
      indexFile:
        repository.indexFile?.endsWith('.lock') === true ? undefined : repository.indexFile,
      isOwn: false,
      isPartial,
      entries,
      copies: await copiesOf(repository, entries, pending),
    })
  })
}

async function differsInWorktree(
  { worktree, index }: RepositoryPort,
  path: ByteName,
  oid: string,
): Promise<boolean> {
  const [entry] = await index.list(path)
  if (entry?.skipWorktree === true || (await worktree.readBytesName(path)) === undefined)
    return false
  const [found] = await worktree.hashFiles([path], false)
  return found !== oid
}

/** Of the entries that are pending events: their bytes. */
export async function copiesOf(
  { worktree }: RepositoryPort,
  entries: readonly MarkedEntry[],
  pending: readonly ByteName[],
) {
  const files = new Set(pending)
  const taken = entries.filter(({ path, after }) => files.has(path) && after !== undefined)
  const copies = await Promise.all(
    taken.map(async ({ path, after }) => {
      const bytes = await worktree.readBytesName(path)
      return bytes === undefined ? [] : [{ path, oid: after?.oid ?? '', bytes }]
    }),
  )
  return copies.flat()
}
