/**
 * The bytes of `current.md` for a git tree of `events/`.
 *
 * The join state of a tree that this one only adds to is likely to be kept; then only what is new is read,
 * wherever in time it lies. Else all events are.
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

/** An `events/` tree; git needs not have it where some of its events are pending. */
export interface EventsTree {
  readonly eventsTree: string
  readonly entries: readonly TreeEntry[] | undefined
  /** The tree as git encodes it, where that is at hand. */
  readonly content?: Uint8Array
  readonly overlay?: Overlay
}

/** One that git has, or whose encoding is at hand; its entries are decoded for whoever asks. */
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

/** A state that adds no more than this to a kept one is not kept itself: an ordinary merge writes nothing. */
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
  /** What the state was made of; undefined where that is all events. */
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
  // Files of the worktree may not be what git is going to store.
  if (tree.entries?.every(({ oid }) => !overlay.has(oid)) ?? true)
    reader.cache?.keepState(eventsTree, state)
  return { state, nearest: grown && nearest }
}

/** More events are joined in parts of so many: read all at once they would be most of the memory. */
const PART = 2000

/** The state of all events of a tree, whatever is kept. */
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

/** Undefined where only all events together tell the state. */
async function joinParts(
  reader: ObjectReader,
  { eventsTree, entries = [], overlay }: EventsTree,
  size: number,
): Promise<JoinState | undefined> {
  await reader.prefetch?.(eventsTree)
  const parts = new StateInParts()
  // The newest first, as names begin with the time: what takes an event back comes before it.
  for (let end = entries.length; end > 0; end -= size) {
    const some = entries.slice(Math.max(0, end - size), end)
    // What was parsed is kept for each reader: one of its own forgets it.
    const once = { read: (oid: string) => reader.read(oid) }
    const { events, problems } = await readEvents(once, eventsTree, some, overlay)
    if (!parts.add(events, problems)) return undefined
  }
  return parts.state
}

export interface NearState {
  readonly state: JoinState
  /** What the wanted tree has besides. */
  readonly added: readonly TreeEntry[]
}

/** Kept trees: a push compares each of its tips with them. */
const contentByReader = new WeakMap<ObjectReader, Map<string, Uint8Array | undefined>>()

async function keptTree(reader: ObjectReader, tree: string): Promise<Uint8Array | undefined> {
  const known = contentByReader.get(reader) ?? new Map<string, Uint8Array | undefined>()
  contentByReader.set(reader, known)
  // Git may have pruned it meanwhile.
  if (!known.has(tree)) known.set(tree, await readTreeContent(reader, tree).catch(() => undefined))
  return known.get(tree)
}

/** Of the kept states that the tree adds to, the last used one that lacks few events, else the largest. */
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
