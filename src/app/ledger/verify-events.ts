/**
 * Finds committed events whose content does not match the hash in their name: a tool has rewritten history, or
 * somebody changed an event and bypassed our hooks.
 *
 * An `events/` tree is verified once; for the next tree only the differences are.
 */

import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import { ACCEPTANCE_TYPE, readAcceptance } from '../../core/event/acceptance.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { hasOwnShape, integrityOf } from '../../core/event/event-integrity.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { eventsOf } from './ledger-sources.ts'
import { readTree } from './ledger-tree.ts'
import type { DamagedBlob } from '../ports/ledger-cache.ts'
import type { ObjectReader } from '../ports.ts'

/**
 * Damaged events of the tree that no event in it accepts. Git must have `place`, including the tree of `events/`.
 * If more than `most` events were never verified, none are verified now: hashing 10,000 makes a cold `check` a
 * quarter slower.
 */
export async function damagedEvents(
  reader: ObjectReader,
  place: LedgerPlace,
  most = Infinity,
): Promise<readonly DamagedBlob[]> {
  const known = reader.cache?.verified()
  if (known?.tree === place.eventsTree) return known.open
  const { unknown, damaged } = await notYetVerified(reader, place, known, most)
  if (unknown.size > most) return []
  if (unknown.size > 1) await reader.prefetch?.(place.eventsTree)
  const oids = [...unknown.keys()]
  for (let at = 0; at < oids.length; at += AT_ONCE) {
    const read = oids.slice(at, at + AT_ONCE).map((oid) => reader.read(oid))
    for (const object of await Promise.all(read)) {
      for (const file of (object && unknown.get(object.oid)) ?? []) {
        const isDamaged = object && integrityOf(file, object.content) === 'damaged'
        if (isDamaged) damaged.push({ file, oid: object.oid })
      }
    }
  }
  const isAccepted = damaged.length === 0 ? () => false : await acceptedIn(reader, place)
  const open = damaged.filter((one) => !isAccepted(one))
  reader.cache?.keepVerified({ tree: place.eventsTree, damaged, open })
  return open
}

/** Events read at once: enough to be fast, few enough to limit memory. */
const AT_ONCE = 500

/**
 * File names by blob, except those that the previous tree had under the same name. Stops soon after `most`, so the
 * map may be incomplete.
 */
async function notYetVerified(
  reader: ObjectReader,
  place: LedgerPlace,
  known: { readonly tree: string; readonly damaged: readonly DamagedBlob[] } | undefined,
  most: number,
): Promise<{ unknown: Map<string, string[]>; damaged: DamagedBlob[] }> {
  // Git may have pruned the tree in the meantime.
  const before = known === undefined ? [] : await readTree(reader, known.tree).catch(() => [])
  const oids = new Map(before.map(({ name, oid }) => [name, oid]))
  const wrong = new Map(known?.damaged.map(({ file, oid }) => [file, oid]))
  const unknown = new Map<string, string[]>()
  const damaged: DamagedBlob[] = []
  for (const { mode, name, oid } of place.entries ?? []) {
    if (unknown.size > most) break
    const file = nameToText(name)
    if (!isRegularFile(mode) || !hasOwnShape(file)) continue
    if (oids.get(name) !== oid) unknown.set(oid, [...(unknown.get(oid) ?? []), file])
    else if (wrong.get(file) === oid) damaged.push({ file, oid })
  }
  return { unknown, damaged }
}

/** Returns a test for whether an event of this place accepts a damaged event. Reads all events, so call it late. */
export async function acceptedIn(
  reader: ObjectReader,
  place: LedgerPlace,
): Promise<(one: DamagedBlob) => boolean> {
  const { events } = await eventsOf(reader, place)
  const names = new Set(
    events.filter(({ type }) => type === ACCEPTANCE_TYPE).map(({ file }) => file),
  )
  const files = (place.entries ?? []).filter(
    ({ mode, name }) => isRegularFile(mode) && names.has(nameToText(name)),
  )
  const accepted = new Set<string>()
  for (const { oid } of files) {
    const bytes = place.overlay.get(oid) ?? (await reader.read(oid))?.content ?? new Uint8Array()
    for (const one of readAcceptance(decodeEventText(bytes))) accepted.add(keyOf(one))
  }
  return (one) => accepted.has(keyOf(one))
}

function keyOf({ file, oid }: DamagedBlob): string {
  return `${oid} ${file}`
}
