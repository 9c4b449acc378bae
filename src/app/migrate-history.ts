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

/** Looks at HEAD and at the parents of every commit of its history that brought events in. */
export async function replacedLedgers(
  repository: RepositoryPort,
  root: string,
): Promise<ReplacedLedger[]> {
  const { history, objects } = repository
  const additions = await history.additions(ledgerPaths(root).events)
  const commits = new Set<string>()
  for (const { oid } of additions.values()) {
    const commit = await objects.read(oid)
    for (const parent of decodeCommit(commit?.content ?? NONE).parents) commits.add(parent)
  }
  const { oid: head } = await history.head()
  if (head !== undefined) commits.add(head)
  const found: ReplacedLedger[] = []
  for (const commit of commits) {
    const text = await handKeptOf(objects, await placeOfRevision(repository, commit, root))
    if (text === undefined) continue
    const content = Buffer.from((await objects.read(commit))?.content ?? NONE).toString('latin1')
    const seconds = Number(/^committer .* (\d+) [-+]\d+$/m.exec(content)?.[1] ?? 0)
    found.push({ commit, bytes: Buffer.from(text), committedMillis: seconds * 1000 })
  }
  return found.toSorted((a, b) => a.committedMillis - b.committedMillis)
}

const NONE = new Uint8Array()
