/** Which damaged events a team has accepted as history now holds them. */

import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import { ACCEPTANCE_TYPE, readAcceptance } from '../../core/event/acceptance.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { eventsOf } from './ledger-sources.ts'
import type { DamagedBlob, ObjectReader } from '../ports.ts'

/** Tells of a damaged event whether one of this place's events accepts it. Reads all of them: ask late. */
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
