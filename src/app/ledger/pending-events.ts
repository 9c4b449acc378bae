/** Events that no commit holds yet, and which of them a commit may include. */

import { integrityOf } from '../../core/event/event-integrity.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { SNAPSHOT_AGENT, SNAPSHOT_TYPE } from '../../core/event/snapshot.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import type { ObjectReader, RepositoryPort } from '../ports.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { fileOfPath, isEventPath, ledgerPaths } from './ledger-sources.ts'
import { bytesOrUnreadable } from './unreadable-files.ts'

/**
 * Names of the events that HEAD lacks, staged or not. Snapshots are left out: `archive` creates them, so they are
 * nobody's report.
 */
export async function pendingEvents(
  reader: ObjectReader,
  { entries = [], overlay }: LedgerPlace,
  head: Pick<LedgerPlace, 'entries'>,
): Promise<ByteName[]> {
  const committed = new Set(head.entries?.map(({ name }) => name))
  const pending: ByteName[] = []
  for (const { mode, name, oid } of entries) {
    const file = nameToText(name)
    if (committed.has(name) || !isRegularFile(mode) || !isEventFileName(file)) continue
    // An agent may have the same name, so the type decides.
    const bytes = MAYBE_SNAPSHOT.test(file)
      ? (overlay.get(oid) ?? (await reader.read(oid))?.content)
      : undefined
    if (!Buffer.from(bytes ?? []).includes(`\ntype: ${SNAPSHOT_TYPE}\n`)) pending.push(name)
  }
  return pending
}

const MAYBE_SNAPSHOT = new RegExp(`_${SNAPSHOT_AGENT}_[0-9a-f]+\\.md$`)

/** Untracked event files of this worktree, which a commit may have to include. */
export async function untrackedEvents(
  { worktree }: RepositoryPort,
  root: string,
): Promise<ByteName[]> {
  return (await worktree.untracked(ledgerPaths(root).events)).filter(isEventPath)
}

/**
 * Sorts untracked events:
 * - `whole`: a commit may include them.
 * - `damaged`: we named the file, but its content no longer matches the hash in the name (full disk, crash, editor).
 * - `unreadable`: git could not add them either.
 */
export async function sortPending(
  repository: RepositoryPort,
  untracked: readonly ByteName[],
): Promise<SortedPending> {
  const sorted = { whole: [], damaged: [], unreadable: [] } as SortedPending
  for (const path of untracked) {
    const bytes = await bytesOrUnreadable(repository.worktree, path)
    // Deleted since git listed it.
    if (bytes === undefined) continue
    if (bytes === 'unreadable') sorted.unreadable.push(path)
    else sorted[integrityOf(fileOfPath(path), bytes) === 'damaged' ? 'damaged' : 'whole'].push(path)
  }
  return sorted
}

type SortedPending = Readonly<Record<'whole' | 'damaged' | 'unreadable', ByteName[]>>
