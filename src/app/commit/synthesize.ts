/** Rewrites the worktree's `current.md` from the worktree's events (pending ones included). */

import type { Ledger } from '../../core/ledger/join.ts'
import type { EventSet } from '../ledger/ledger-tree.ts'
import { ledgerOf } from '../ledger/ledger-tree.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import { eventsOf, isLeftOut, ledgerPaths, placeOfWorktree } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Say } from './refresh-current.ts'
import { syncWorktree } from './refresh-current.ts'

export interface Synthesis {
  readonly set: EventSet
  readonly ledger: Ledger
  readonly text: string
  /** The worktree's `current.md` before; undefined when there was none. */
  readonly before: string | undefined
  /** A sparse checkout leaves `current.md` out: it is not written. */
  readonly isLeftOut: boolean
}

/** Joins and renders what the worktree holds; writes no file. */
export async function previewWorktree(
  repository: RepositoryPort,
  root: string,
  { write } = { write: true },
): Promise<Synthesis> {
  // The events and their tree are stored, so that a merge that meets this text finds what it names.
  const place = await placeOfWorktree(repository, root, { write })
  if (write && place.entries !== undefined) await storeTree(repository, place.entries)
  const set = await eventsOf(repository.objects, place)
  const bytes = await repository.worktree.read(ledgerPaths(root).current)
  const before = bytes && Buffer.from(bytes).toString('utf8')
  return {
    set,
    ledger: ledgerOf(set),
    text: renderEvents(set),
    before,
    isLeftOut: isLeftOut(place.index),
  }
}

export async function synthesizeWorktree(
  repository: RepositoryPort,
  root: string,
  say: Say,
): Promise<Synthesis> {
  const synthesis = await previewWorktree(repository, root)
  await writeSynthesis(repository, root, synthesis, say)
  return synthesis
}

export async function writeSynthesis(
  repository: RepositoryPort,
  root: string,
  { text, isLeftOut }: Synthesis,
  say: Say,
): Promise<void> {
  if (!isLeftOut) return syncWorktree(repository, root, text, [], say)
  say(
    `ledger-git: this sparse checkout leaves ${ledgerPaths(root).current} out: not written\n  next: ledger-git show`,
  )
}

/** Sub-folders were stored by whoever staged them: only the folder itself can be missing. */
async function storeTree(
  repository: RepositoryPort,
  entries: Parameters<RepositoryPort['writeTree']>[0],
): Promise<void> {
  await repository.writeTree(entries)
}
