/** Rewrites the worktree's `current.md` from the worktree's events (pending ones included). */

import type { Ledger } from '../../core/ledger/join.ts'
import { foldState } from '../../core/ledger/join.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import { stateOfTree } from '../ledger/render-tree.ts'
import { isLeftOut, ledgerPaths, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { passedOver } from '../ledger/passed-over.ts'
import type { LedgerContext, RepositoryPort } from '../ports.ts'
import { writeCurrent } from './refresh-current.ts'

export interface Synthesis {
  readonly eventsTree: string
  readonly ledger: Ledger
  readonly text: string
  /** The worktree's previous `current.md`; undefined if there was none. */
  readonly before: string | undefined
  /** A sparse checkout leaves `current.md` out, so it is not written. */
  readonly isLeftOut: boolean
  /** How many event files may not be read; `text` does not include them, and neither will a commit. */
  readonly unreadable: number
}

/** Joins and renders the worktree's events; writes no file in the worktree. */
export async function previewWorktree(
  repository: RepositoryPort,
  root: string,
  { write } = { write: true },
): Promise<Synthesis> {
  // Store the events and their tree, so that a merge that finds this text also finds the tree that it names.
  const place = await placeOfWorktree(repository, root, { write })
  if (write && place.entries !== undefined) await repository.writeTree(place.entries)
  const { eventsTree } = place
  const ledger = foldState(await stateOfTree(repository.objects, place))
  const bytes = await repository.worktree.read(ledgerPaths(root).current)
  const before = bytes && Buffer.from(bytes).toString('utf8')
  const text = renderLedger(ledger, eventsTree)
  const unreadable = place.unreadable?.length ?? 0
  return { eventsTree, ledger, text, before, isLeftOut: isLeftOut(place.index), unreadable }
}

export async function writeSynthesis(context: LedgerContext, synthesis: Synthesis): Promise<void> {
  if (!synthesis.isLeftOut) return writeCurrent(context, synthesis.text)
  const { repository, settings, say } = context
  const passed = await passedOver(repository, settings.root)
  const path = ledgerPaths(settings.root).current
  const left = `this sparse checkout leaves ${path} out: not written`
  say(`ledger-git: ${passed?.message ?? left}\n  next: ${passed?.fix ?? 'ledger-git show'}`)
}
