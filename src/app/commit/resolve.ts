/** After the fact: a conflicted or stale `current.md` is regenerated from the index's events. */

import { LedgerError } from '../../core/errors/errors.ts'
import { nameToText } from '../../core/git/objects.ts'
import { oneLine } from '../../core/ledger/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { commitLedger } from './commit-ledger.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import { isLeftOut, ledgerPaths, placeOfIndex } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Say } from './refresh-current.ts'
import { isOutOfGit, renderWorktree, stageCurrent, syncWorktree } from './refresh-current.ts'

export interface Resolution {
  /** True when the index's `current.md` was regenerated. */
  readonly staged: boolean
  readonly commit: string | undefined
  readonly path: string
}

export async function resolveLedger(
  repository: RepositoryPort,
  settings: Settings,
  options: { commit: boolean },
  say: Say,
): Promise<Resolution> {
  const { root, mode } = settings
  const path = ledgerPaths(root).current
  const place = await placeOfIndex(repository, root)
  const conflicted = place.unmerged.map(nameToText)
  const events = conflicted.filter((name) => name !== path)
  if (events.length > 0) {
    throw new LedgerError(
      'EVENTS_UNMERGED',
      `${events.map((name) => oneLine(name, '')).join(', ')} is unmerged: event files are immutable, so keep the right one whole`,
      'git checkout --ours (or --theirs) -- FILE, git add FILE, then ledger-git resolve',
    )
  }
  if (isOutOfGit(place, mode)) {
    // Another branch still had it in git: here it stays out.
    if (conflicted.length > 0) await repository.index.remove(path)
    await renderWorktree(repository, root, place, say)
  }
  const state = await freshnessOf(repository.objects, place, mode)
  const isConflict = conflicted.length > 0
  let staged = false
  if (state.expected !== undefined && (isConflict || !state.fresh)) {
    await stageCurrent(repository, root, place, state.expected, say)
    staged = true
  } else if (state.expected !== undefined && !isLeftOut(place)) {
    // The index is right; the worktree's copy may still be a conflict.
    await syncWorktree(repository, root, state.expected, [place.current?.oid ?? ''], say)
  }
  if (!options.commit) return { staged, commit: undefined, path }
  const { commit } = await commitLedger(repository, settings, 'ledger: refresh current.md', say)
  return { staged, commit, path }
}
