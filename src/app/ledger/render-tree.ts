/**
 * The bytes of `current.md` for a git tree of `events/`, from as little as possible: its rendering, the
 * digest of a tree that it adds to, or all of its events.
 */

import type { TreeEntry } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import type { Addition } from '../../core/ledger/digest.ts'
import {
  canExtendDigest,
  digestEvents,
  extendDigest,
  foldDigest,
} from '../../core/ledger/digest.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import type { EventSet, Memory, Overlay } from './ledger-tree.ts'
import { isStored, ledgerOf, readEvents } from './ledger-tree.ts'
import type { ObjectReader } from '../ports.ts'

/** The bytes of `current.md` for these events. */
export function renderEvents(set: EventSet): string {
  return renderLedger(ledgerOf(set), set.eventsTree)
}

/** What is known about a tree besides its entries. */
export interface TreeHints {
  readonly overlay?: Overlay | undefined
  /**
   * Trees that it only adds to, the likeliest to have been rendered here first. Only where they are given
   * is a digest kept: others are not going to be added to.
   */
  readonly growths?: readonly Growth[] | undefined
}

/** The tree `to` is the tree `from` and `added`. */
export interface Growth {
  readonly from: string
  readonly to: string
  readonly added: readonly TreeEntry[]
}

/** More than this is not looked for one by one. */
const MAX_ADDED = 200

/**
 * The bytes of `current.md` for a tree. Its events are read only if nobody has rendered it before; all
 * of them only if none of the trees that it adds to has been, either.
 */
export async function renderTree(
  reader: ObjectReader,
  eventsTree: string,
  entries: () => readonly TreeEntry[] | Promise<readonly TreeEntry[]>,
  { overlay, growths }: TreeHints = {},
): Promise<string> {
  const known = await renderKnown(reader, eventsTree, { overlay, growths })
  if (known !== undefined) return known
  const listed = await entries()
  const set = await readEvents(reader, eventsTree, listed, overlay)
  const text = renderEvents(set)
  if (isWhatGitStores(listed, overlay)) {
    reader.cache?.addRendering(eventsTree, text)
    if (growths !== undefined) keepDigest(reader, set, growths)
  }
  return text
}

/** The same, if it or one of the trees that it adds to was rendered before; undefined otherwise. */
async function renderKnown(
  reader: ObjectReader,
  eventsTree: string,
  { overlay, growths }: TreeHints,
): Promise<string | undefined> {
  const known = reader.cache?.rendering(eventsTree)
  if (known !== undefined) return known
  for (const growth of growths?.filter(({ to }) => to === eventsTree) ?? []) {
    const text = await renderGrowth(reader, growth, overlay)
    if (text !== undefined) return text
  }
  return undefined
}

/** As an addition to the tree it adds to, where it can be: the next merge may add to that one, too. */
function keepDigest(reader: ObjectReader, set: EventSet, growths: readonly Growth[]): void {
  const { cache } = reader
  const growth = growths.find(({ to, added }) => {
    return to === set.eventsTree && added.length > 0 && added.length <= MAX_ADDED
  })
  const names = new Set(growth?.added.map(({ name }) => nameToText(name)))
  const added = only(set, (file) => names.has(file))
  const from = digestEvents(only(set, (file) => !names.has(file)))
  if (growth !== undefined && canExtendDigest(from, added.events)) {
    cache?.addDigest(growth.from, from)
    cache?.addExtendedDigest(set.eventsTree, growth.from, added)
  } else cache?.addDigest(set.eventsTree, growth === undefined ? from : digestEvents(set))
}

function only({ events, problems }: EventSet, isWanted: (file: string) => boolean): Addition {
  return {
    events: events.filter(({ file }) => isWanted(file)),
    problems: problems.filter(({ file }) => isWanted(file)),
  }
}

/** Undefined where the tree it adds to has left no digest, or the new events need all others. */
async function renderGrowth(
  reader: ObjectReader,
  { from, to, added }: Growth,
  overlay: Overlay | undefined,
): Promise<string | undefined> {
  if (added.length > MAX_ADDED || !isWhatGitStores(added, overlay)) return undefined
  const digest = reader.cache?.digest(from)
  if (digest === undefined) return undefined
  const fresh: Memory = { events: new Map(), keep: () => {} }
  const set = await readEvents(reader, to, added, overlay, fresh)
  if (!canExtendDigest(digest, set.events)) return undefined
  const text = renderLedger(foldDigest(extendDigest(digest, set)), to)
  reader.cache?.addRendering(to, text)
  if (added.length > 0) reader.cache?.addExtendedDigest(to, from, set)
  return text
}

function isWhatGitStores(entries: readonly TreeEntry[], overlay: Overlay | undefined): boolean {
  return overlay === undefined || entries.every(({ oid }) => isStored(oid, overlay))
}
