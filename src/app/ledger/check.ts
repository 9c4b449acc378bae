/** `check`: is the ledger fresh or stale in the worktree, the index, one commit or every commit of a range? */

import { parseProvenance } from '../../core/ledger/provenance.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { acceptedIn, damagedEvents } from './verify-events.ts'
import { currentText, freshnessOf } from './freshness.ts'
import { findUnmanaged } from './unmanaged-ledger.ts'
import type { WorktreePlace } from './ledger-sources.ts'
import {
  ledgerPaths,
  placeOfIndex,
  placeOfRevision,
  placeOfWorktree,
  placeWithout,
} from './ledger-sources.ts'
import { pendingEvents } from './pending-events.ts'
import type { DamagedBlob } from '../ports/ledger-cache.ts'
import type { RepositoryPort } from '../ports.ts'
import { nameToText } from '../../core/git/objects.ts'
import { settingsOfRevision } from './read-settings.ts'

/** With more events than this to verify, verification is left to `status`, `doctor` and `event validate`. */
const MAX_UNVERIFIED = 1000

export type CheckTarget =
  | { readonly kind: 'worktree' }
  | { readonly kind: 'staged' }
  | { readonly kind: 'rev'; readonly rev: string }
  | { readonly kind: 'range'; readonly range: string }

export interface Checked {
  readonly rev: string | null
  readonly where: 'worktree' | 'index' | 'commit'
  readonly fresh: boolean
  readonly reason: string
}

export interface CheckReport {
  readonly fresh: boolean
  readonly checked: readonly Checked[]
  /** Paths of the worktree's events that no commit holds yet; they make nothing stale. */
  readonly pending: readonly string[]
  /** Committed events whose content does not match the hash in their name, and that nobody accepted. */
  readonly damaged: readonly string[]
  /** `current.md` is stale because git does not see the ledger at all: no command of ours can help. */
  readonly isUnseen: boolean
}

/** Throws `FORMAT_TOO_NEW`, `REVISION_UNKNOWN`. */
export async function checkLedger(
  repository: RepositoryPort,
  settings: Settings,
  target: CheckTarget,
): Promise<CheckReport> {
  if (target.kind === 'worktree')
    return checkWorktree(repository, settings, await placeOfWorktree(repository, settings.root))
  if (target.kind === 'staged') {
    const place = await placeOfIndex(repository, settings.root)
    const { fresh, reason } =
      place.unmerged.length > 0
        ? { fresh: false, reason: 'the index holds unmerged paths of the ledger' }
        : await freshnessOf(repository.objects, place, settings.mode)
    return report([{ rev: null, where: 'index', fresh, reason }])
  }
  const { history, objects } = repository
  const revisions =
    target.kind === 'rev' ? [await history.resolve(target.rev)] : await history.range(target.range)
  const checked: Checked[] = []
  let damaged: readonly DamagedBlob[] = []
  for (const rev of revisions) {
    // Each commit has its own settings: the ledger may have moved.
    const { root, mode } = await settingsOfRevision(repository, rev)
    const place = await placeOfRevision(repository, rev, root)
    // In a range only the last commit matters: damage that it no longer holds is settled.
    if (rev === revisions.at(-1)) damaged = await damagedEvents(objects, place, MAX_UNVERIFIED)
    const { fresh, reason } = await freshnessOf(objects, place, mode)
    checked.push({ rev, where: 'commit', fresh, reason })
  }
  return report(checked, [], damaged)
}

/** On disk, `current.md` may be the rendering of HEAD's, the index's or the worktree's events. */
export async function checkWorktree(
  repository: RepositoryPort,
  { root, mode }: Settings,
  worktree: WorktreePlace,
): Promise<CheckReport> {
  const head = await placeOfRevision(repository, 'HEAD', root)
  const { current, overlay } = worktree
  const text = current && (await currentText(repository.objects, worktree, current.oid))
  const tree = parseProvenance(text ?? '')?.eventsTree
  const { format } = repository.place
  const pending = await pendingEvents(repository.objects, worktree, head)
  const settled = placeWithout(worktree, worktree.untracked, format)
  // Before the first commit HEAD has no events, and the `current.md` of a new ledger shows none.
  const before = placeWithout(worktree, [...worktree.untracked, ...pending], format)
  const places = [worktree, settled, worktree.index, head, before]
  const match = places.find((place) => place.eventsTree === tree)
  // A file that people keep by hand counts as fresh until the next commit renders the pending events.
  const isByHand = current !== undefined && tree === undefined && worktree.untracked.length > 0
  const byHand = isByHand ? await findUnmanaged(repository, root) : undefined
  const damaged = await damagedEvents(repository.objects, head, MAX_UNVERIFIED)
  // Without current.md it is unknown which events it showed; pending events make nothing stale.
  const isSettled = current === undefined || byHand !== undefined
  const shown = { ...(match ?? (isSettled ? settled : worktree)), current, overlay }
  const { fresh, reason } = await freshnessOf(repository.objects, shown, mode)
  const checked: Checked = { rev: null, where: 'worktree', fresh, reason }
  const isAccepted =
    damaged.length === 0 ? () => true : await acceptedIn(repository.objects, worktree)
  const isInGit = worktree.entries !== undefined || worktree.index.current !== undefined
  return {
    ...report(
      [checked],
      pending.map((name) => `${ledgerPaths(root).events}/${nameToText(name)}`),
      damaged.filter((one) => !isAccepted(one)),
    ),
    isUnseen: !fresh && !isInGit,
  }
}

function report(
  checked: readonly Checked[],
  pending: readonly string[] = [],
  damaged: readonly DamagedBlob[] = [],
): CheckReport {
  return {
    fresh: checked.every(({ fresh }) => fresh),
    checked,
    pending,
    damaged: damaged.map(({ file }) => file),
    isUnseen: false,
  }
}
