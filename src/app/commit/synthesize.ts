/** Rewrites the worktree's `current.md` from the worktree's events (pending ones included). */

import type { Ledger } from '../../core/ledger/join.ts'
import type { EventSet } from '../ledger/ledger-tree.ts'
import { ledgerOf } from '../ledger/ledger-tree.ts'
import { renderEvents } from '../ledger/render-tree.ts'
import { eventsOf, isLeftOut, ledgerPaths, placeOfWorktree } from '../ledger/ledger-sources.ts'
import type { LedgerContext, RepositoryPort } from '../ports.ts'
import { writeCurrent } from './refresh-current.ts'

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
  if (write && place.entries !== undefined) await repository.writeTree(place.entries)
  const set = await eventsOf(repository.objects, place)
  const bytes = await repository.worktree.read(ledgerPaths(root).current)
  const before = bytes && Buffer.from(bytes).toString('utf8')
  const text = renderEvents(set)
  return { set, ledger: ledgerOf(set), text, before, isLeftOut: isLeftOut(place.index) }
}

export async function writeSynthesis(context: LedgerContext, synthesis: Synthesis): Promise<void> {
  if (!synthesis.isLeftOut) return writeCurrent(context, synthesis.text)
  const path = ledgerPaths(context.settings.root).current
  context.say(
    `ledger-git: this sparse checkout leaves ${path} out: not written\n  next: ledger-git show`,
  )
}
