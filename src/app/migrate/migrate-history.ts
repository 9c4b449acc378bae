/** Hand-kept versions of `current.md` that a rendering replaced before anybody had migrated them. */

import { decodeCommit } from '../../core/git/objects.ts'
import { isRendered } from '../../core/ledger/provenance.ts'
import { currentText } from '../ledger/freshness.ts'
import { unmanagedOf } from '../ledger/unmanaged-ledger.ts'
import { ledgerPaths, placeOfRevision } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'

export interface ReplacedLedger {
  /** The last commit that held it. */
  readonly commit: string
  readonly bytes: Uint8Array
  readonly committedMillis: number
}

/** Looks at HEAD, and at the parents of it and of every commit of its history that brought events in. */
export async function replacedLedgers(
  repository: RepositoryPort,
  root: string,
): Promise<ReplacedLedger[]> {
  const { history, objects } = repository
  const additions = await history.additions(ledgerPaths(root).events)
  const { oid: head } = await history.head()
  const found = new Map<string, ReplacedLedger>()
  const read = async (commit: string) => decodeCommit((await objects.read(commit))?.content ?? NONE)
  const look = async (commit: string, child?: string) => {
    const text = found.has(commit) ? undefined : await textIn(repository, root, commit, child)
    if (text === undefined) return
    const committedMillis = (await read(commit)).committedAt * 1000
    found.set(commit, { commit, bytes: Buffer.from(text), committedMillis })
  }
  if (head !== undefined) await look(head)
  const children = new Set([...additions.values()].map(({ oid }) => oid))
  if (head !== undefined && !found.has(head)) children.add(head)
  for (const child of children) {
    for (const parent of (await read(child)).parents) await look(parent, child)
  }
  return [...found.values()].toSorted((a, b) => a.committedMillis - b.committedMillis)
}

/** Beside events, only what the child put a rendering in the place of was a ledger of people's. */
async function textIn(
  repository: RepositoryPort,
  root: string,
  commit: string,
  child: string | undefined,
): Promise<string | undefined> {
  const { objects } = repository
  const place = await placeOfRevision(repository, commit, root)
  const kept = await unmanagedOf(objects, place)
  if (kept !== undefined || child === undefined || place.current === undefined) return kept
  const text = await currentText(objects, place, place.current.oid)
  if (text === undefined || text.trim() === '' || isRendered(text)) return undefined
  const { current } = await placeOfRevision(repository, child, root)
  const after = current && Buffer.from((await objects.read(current.oid))?.content ?? NONE)
  return after && isRendered(after.toString('utf8')) ? text : undefined
}

const NONE = new Uint8Array()
