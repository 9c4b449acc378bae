/** Formatters that are used here and would change files of the ledger. */

import { decodeEventText } from '../../core/event/event-bytes.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { isFencedEvent } from '../../core/event/fence.ts'
import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import { placeOfWorktree } from '../ledger/ledger-sources.ts'
import { shieldOf, usedFormatters } from '../setup/formatters.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { INSTALL, ok, warning } from './finding.ts'

export async function checkFormatters(setup: Setup): Promise<Finding[]> {
  const name = 'formatters'
  const { top } = setup.repository.place
  if (top === undefined) return []
  const used = usedFormatters(setup, top)
  const open = used
    .map((formatter) => ({ ...formatter, ...shieldOf(formatter, setup, top) }))
    .filter(({ isThere }) => !isThere)
  const needsBare = open.some(({ changes }) => changes === 'bare events')
  const hasBare = needsBare && (await hasBareEvent(setup))
  const harmed = open.filter(({ changes }) => hasBare || changes !== 'bare events')
  if (harmed.length > 0) {
    const said = harmed.map((each) => `${each.name} (${each.changes})`).join(', ')
    // What install can do comes first: a step by hand shows when only such are left.
    const byHand = harmed.every(({ advice }) => advice !== undefined) && harmed[0]?.advice
    const what = `not kept away from files that they would change: ${said}`
    return [warning(name, what, byHand || INSTALL)]
  }
  const names = used.map((each) => each.name).join(', ')
  return [ok(name, names === '' ? 'none is set up at the top' : `harm no file of ours: ${names}`)]
}

/** True when an event is there that is not in a fence, as they were written before. */
async function hasBareEvent({ repository, settings }: Setup): Promise<boolean> {
  const { entries = [], overlay } = await placeOfWorktree(repository, settings.root)
  for (const { name, mode, oid } of entries) {
    if (!isRegularFile(mode) || !isEventFileName(nameToText(name))) continue
    const bytes = overlay.get(oid) ?? (await repository.objects.read(oid))?.content
    if (bytes !== undefined && !isFencedEvent(decodeEventText(bytes))) return true
  }
  return false
}
