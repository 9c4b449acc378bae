/** A `current.md` that people keep by hand, until its text is in the events. */

import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { isRendered } from '../../core/ledger/provenance.ts'
import { isUnmanaged } from './freshness.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { ledgerPaths, placeOfWorktree, placeWithout } from './ledger-sources.ts'
import type { ObjectReader, RepositoryPort } from '../ports.ts'

/** The message of every command that leaves such a file alone. */
export const KEPT_BY_HAND = 'current.md is kept by hand; next: ledger-git migrate'

/**
 * The worktree's unmanaged `current.md`. Undefined if events are committed or staged, or if the index has a
 * rendering at its path: then the text is an edit of a generated file.
 */
export async function findUnmanaged(repository: RepositoryPort, root: string) {
  // In nearly every repository this one file answers the question.
  const bytes = await repository.worktree.read(ledgerPaths(root).current)
  const text = bytes && toText(bytes)
  if (bytes === undefined || text === undefined || isRendered(text) || isBlank(text))
    return undefined
  const place = await placeOfWorktree(repository, root)
  const settled = placeWithout(place, place.untracked, repository.place.format)
  if (!isUnmanaged(settled, text)) return undefined
  const { objects } = repository
  const inIndex = place.index.current && (await objects.read(place.index.current.oid))
  if (inIndex !== undefined && isRendered(toText(inIndex.content))) return undefined
  return {
    text,
    /** Events beside it that no commit holds yet: the next commit renders them. */
    hasPending: place.untracked.length > 0,
    /** One of these events was migrated from its text. */
    isMigrated: await holdsSource(objects, place, bytes),
  }
}

/** The unmanaged `current.md` of a place without events. */
export async function unmanagedOf(
  reader: ObjectReader,
  place: LedgerPlace,
): Promise<string | undefined> {
  const { current, overlay } = place
  if (current === undefined || !isRegularFile(current.mode)) return undefined
  const bytes = overlay.get(current.oid) ?? (await reader.read(current.oid))?.content
  const text = bytes && toText(bytes)
  return text !== undefined && !isBlank(text) && isUnmanaged(place, text) ? text : undefined
}

/** A blank file holds nothing worth keeping. */
function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** True if replacing an unmanaged text loses nothing: `migrate` made an event of it, or it says nothing. */
export async function isMigrated(
  repository: RepositoryPort,
  root: string,
  bytes: Uint8Array,
): Promise<boolean> {
  return holdsSource(repository.objects, await placeOfWorktree(repository, root), bytes)
}

async function holdsSource(
  reader: ObjectReader,
  { entries = [], overlay }: LedgerPlace,
  bytes: Uint8Array,
): Promise<boolean> {
  // Loaded on demand: with its YAML parser it would be most of what a hook loads, and it is hardly ever needed.
  const [{ saysNothing }, { isEventOf, readSourceText }] = await Promise.all([
    import('../../core/migrate/read-source.ts'),
    import('../../core/migrate/source-text.ts'),
  ])
  const source = readSourceText(bytes)
  if ('problem' in source) return source.problem === 'empty'
  if (saysNothing(source.text)) return true
  for (const { mode, name, oid } of entries) {
    if (!isRegularFile(mode) || !isEventFileName(nameToText(name))) continue
    const event = overlay.get(oid) ?? (await reader.read(oid))?.content
    if (event !== undefined && isEventOf(decodeEventText(event), source.text)) return true
  }
  return false
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
