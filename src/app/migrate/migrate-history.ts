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
  const look = async (commit: string, child?: string) => {
    const text = found.has(commit) ? undefined : await textIn(repository, root, commit, child)
    if (text !== undefined) found.set(commit, await asReplaced(commit, text, repository))
  }
  if (head !== undefined) await look(head)
  const children = new Set([...additions.values()].map(({ oid }) => oid))
  if (head !== undefined && !found.has(head)) children.add(head)
  for (const child of children) {
    const content = (await objects.read(child))?.content ?? NONE
    for (const parent of decodeCommit(content).parents) await look(parent, child)
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

async function asReplaced(
  commit: string,
  text: string,
  { objects }: RepositoryPort,
): Promise<ReplacedLedger> {
  const content = Buffer.from((await objects.read(commit))?.content ?? NONE).toString('latin1')
  const seconds = Number(/^committer .* (\d+) [-+]\d+$/m.exec(content)?.[1] ?? 0)
  return { commit, bytes: Buffer.from(text), committedMillis: seconds * 1000 }
}

const NONE = new Uint8Array()
