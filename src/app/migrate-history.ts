/** Hand-kept versions of `current.md` that a rendering replaced before anybody had migrated them. */

import { decodeCommit } from '../core/git-objects.ts'
import { handKeptOf } from './hand-kept.ts'
import { ledgerPaths, placeOfRevision } from './ledger-places.ts'
import type { RepositoryPort } from './ports.ts'

export interface ReplacedLedger {
  /** The last commit that held it. */
  readonly commit: string
  readonly bytes: Uint8Array
  readonly committedMillis: number
}

/** Looks at the parents of every commit of HEAD's history that brought events in. */
export async function replacedLedgers(
  repository: RepositoryPort,
  root: string,
): Promise<ReplacedLedger[]> {
  const { history, objects } = repository
  const additions = await history.additions(ledgerPaths(root).events)
  const commits = new Set([...additions.values()].map(({ oid }) => oid))
  const seen = new Set<string>()
  const found: ReplacedLedger[] = []
  for (const oid of commits) {
    for (const parent of decodeCommit((await objects.read(oid))?.content ?? NONE).parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      const place = await placeOfRevision(repository, parent, root)
      const text = await handKeptOf(objects, place)
      if (text === undefined) continue
      const commit = Buffer.from((await objects.read(parent))?.content ?? NONE).toString('latin1')
      const seconds = Number(/^committer .* (\d+) [-+]\d+$/m.exec(commit)?.[1] ?? 0)
      const bytes = Buffer.from(text)
      found.push({ commit: parent, bytes, committedMillis: seconds * 1000 })
    }
  }
  return found.toSorted((a, b) => a.committedMillis - b.committedMillis)
}

const NONE = new Uint8Array()
