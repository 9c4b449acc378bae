/** Archived files that a killed run left: git does not have them, and their events are still in `events/`. */

import { parseArchived } from '../../core/event/archive-file.ts'
import type { ByteName, TreeEntry } from '../../core/git/objects.ts'
import { hashObject, textToName } from '../../core/git/objects.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'

/** `entries` are those of `events/`. A file whose text is no event here is not included. */
export async function leftArchived(
  { index, place, worktree }: RepositoryPort,
  root: string,
  entries: readonly TreeEntry[],
): Promise<ByteName[]> {
  const { untracked } = await index.listAll(ledgerPaths(root).archive)
  const known = new Map(entries.map(({ name, oid }) => [name, oid]))
  const left: ByteName[] = []
  for (const path of untracked) {
    const bytes = await worktree.readBytesName(path)
    const archived = bytes && parseArchived(Buffer.from(bytes).toString('utf8'))
    if (archived === undefined) continue
    const oid = hashObject('blob', archived.bytes, place.format)
    if (known.get(textToName(archived.file)) === oid) left.push(path)
  }
  return left
}
