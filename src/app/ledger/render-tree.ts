/**
 * The bytes of `current.md` for a git tree of `events/`.
 *
 * The cache probably has the join state of a tree that this tree only adds to. In that case only the new events are
 * read, whatever their time. Otherwise all events are read.
 */

import type { TreeEntry } from '../../core/git/objects.ts'
import { decodeTree, encodeTree, formatOfOid } from '../../core/git/objects.ts'
import { foldState } from '../../core/ledger/join.ts'
import type { JoinState } from '../../core/ledger/join-state.ts'
import { extendState, stateOf } from '../../core/ledger/join-state.ts'
import { addedEntries } from '../../core/ledger/merge-entries.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import { StateInParts } from '../../core/ledger/state-in-parts.ts'
import type { ObjectReader } from '../ports.ts'
import type { EventSet, Overlay } from './ledger-tree.ts'
import { ledgerOf, readEvents, readTreeContent } from './ledger-tree.ts'

/** An `events/` tree; git need not have it if some of its events are pending. */
export interface EventsTree {
  readonly eventsTree: string
  readonly entries: readonly TreeEntry[] | undefined
  /** The tree as git encodes it, if available. */
  readonly content?: Uint8Array
  readonly overlay?: Overlay
}

/** A tree that git has or whose encoding is available; its entries are decoded on demand. */
export interface WholeTree extends EventsTree {
  readonly entries: readonly TreeEntry[]
  readonly content: Uint8Array
}

export function treeOf(eventsTree: string, content: Uint8Array): WholeTree {
  let entries: readonly TreeEntry[] | undefined
  return {
    eventsTree,
    content,
    get entries() {
      return (entries ??= decodeTree(content, formatOfOid(eventsTree)))
    },
  }
}

/** A state with no more new events than this is not cached itself, so an ordinary merge writes nothing. */
const FEW = 50

export async function renderTree(reader: ObjectReader, tree: EventsTree): Promise<string> {
  return renderLedger(foldState(await stateOfTree(reader, tree)), tree.eventsTree)
}

/** The bytes of `current.md` for these events. */
export function renderEvents(set: EventSet): string {
  return renderLedger(ledgerOf(set), set.eventsTree)
}

export async function stateOfTree(reader: ObjectReader, tree: EventsTree): Promise<JoinState> {
  return (await joinTree(reader, tree)).state
}

export interface JoinedTree {
  readonly state: JoinState
  /** The cached state that this one extends; undefined if it was joined from all events. */
  readonly nearest: NearState | undefined
}

export async function joinTree(reader: ObjectReader, tree: EventsTree): Promise<JoinedTree> {
  const { eventsTree, overlay = new Map() } = tree
  const read = (some: readonly TreeEntry[]) => readEvents(reader, eventsTree, some, overlay)
  const nearest = await findNearest(reader, tree)
  if (nearest?.added.length === 0) return { state: nearest.state, nearest }
  const more = nearest && (await read(nearest.added))
  const grown = more && extendState(nearest.state, more.events, more.problems)
  if (grown !== undefined && nearest !== undefined && nearest.added.length <= FEW)
    return { state: grown, nearest }
  const state = grown ?? (await joinAll(reader, tree))
  // Worktree files may differ from what git is going to store.
  if (tree.entries?.every(({ oid }) => !overlay.has(oid)) ?? true)
    reader.cache?.keepState(eventsTree, state)
  return { state, nearest: grown && nearest }
}

/** More events than this are joined in parts of this size: read all at once, they would take most of the memory. */
const PART = 2000

/** The state of all events of a tree, ignoring the cache. */
export async function joinAll(
  reader: ObjectReader,
  tree: EventsTree,
  part = PART,
): Promise<JoinState> {
  const { eventsTree, entries = [], overlay } = tree
  const inParts = entries.length > part ? await joinParts(reader, tree, part) : undefined
  if (inParts !== undefined) return inParts
  const { events, problems } = await readEvents(reader, eventsTree, entries, overlay)
  return stateOf(events, problems)
}

/** Undefined if the state cannot be built from parts, only from all events together. */
async function joinParts(
  reader: ObjectReader,
  { eventsTree, entries = [], overlay }: EventsTree,
  size: number,
): Promise<JoinState | undefined> {
  await reader.prefetch?.(eventsTree)
  const parts = new StateInParts()
  // Newest first (names begin with the time), so that a retraction comes before the event that it retracts.
  for (let end = entries.length; end > 0; end -= size) {
    const some = entries.slice(Math.max(0, end - size), end)
    // Parsed events are cached per reader; a fresh reader for each part lets them be freed.
    const once = { read: (oid: string) => reader.read(oid) }
    const { events, problems } = await readEvents(once, eventsTree, some, overlay)
    if (!parts.add(events, problems)) return undefined
  }
  return parts.state
}

export interface NearState {
  readonly state: JoinState
  /** Entries of the wanted tree that are not in this state. */
  readonly added: readonly TreeEntry[]
}

/** Contents of the cached states' trees: a push compares each of its tips with them. */
const contentByReader = new WeakMap<ObjectReader, Map<string, Uint8Array | undefined>>()

async function keptTree(reader: ObjectReader, tree: string): Promise<Uint8Array | undefined> {
  const known = contentByReader.get(reader) ?? new Map<string, Uint8Array | undefined>()
  contentByReader.set(reader, known)
  // Git may have pruned it in the meantime.
  if (!known.has(tree)) known.set(tree, await readTreeContent(reader, tree).catch(() => undefined))
  return known.get(tree)
}

/** Of the cached states that the tree adds to: the last used one that lacks few events, otherwise the largest. */
async function findNearest(reader: ObjectReader, tree: EventsTree): Promise<NearState | undefined> {
  const { cache } = reader
  const same = cache?.state(tree.eventsTree)
  if (same !== undefined) return { state: same, added: [] }
  const format = formatOfOid(tree.eventsTree)
  let { content } = tree
  let best: { kept: string; added: readonly TreeEntry[] } | undefined
  for (const kept of cache?.states() ?? []) {
    const from = await keptTree(reader, kept)
    content ??= encodeTree(tree.entries ?? [])
    const added = from && addedEntries(from, content, format)
    if (added === undefined || (best !== undefined && best.added.length <= added.length)) continue
    best = { kept, added }
    if (added.length <= FEW) break
  }
  const state = best && cache?.state(best.kept)
  return state && best && { state, added: best.added }
}
