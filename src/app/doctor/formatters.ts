/** Formatters that are used here and would change files of the ledger. */

import { isRegularFile, nameToText } from '../../core/git/objects.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { isFencedEvent } from '../../core/event/fence.ts'
import type { Formatter } from '../../core/setup/formatters.ts'
import { hasBlock } from '../../core/setup/marked-block.ts'
import { placeOfWorktree } from '../ledger/ledger-sources.ts'
import type { Shield } from '../setup/formatters.ts'
import { shieldOf, usedFormatters } from '../setup/formatters.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { INSTALL, ok, warning } from './finding.ts'

export async function checkFormatters(context: DoctorContext): Promise<Finding[]> {
  const { files, repository, settings } = context
  const { top } = repository.place
  if (top === undefined) return []
  const used = usedFormatters(files, top)
  const open = used
    .map((formatter) => ({ formatter, shield: shieldOf(formatter, files, top, settings.root) }))
    .filter(({ shield }) => !isKeptAway(shield, context, top))
  const harmed = (await hasBareEvent(
    context,
    open.map(({ formatter }) => formatter),
  ))
    ? open
    : open.filter(({ formatter }) => formatter.changes !== 'bare events')
  // What install can do comes first: a step by hand shows when only such are left.
  const [first] = harmed.toSorted((a, b) => byHand(a.shield) - byHand(b.shield))
  if (first !== undefined) return [warning('formatters', messageOf(harmed), fixOf(first.shield))]
  const names = used.map(({ name }) => name).join(', ')
  return [
    ok('formatters', names === '' ? 'none is set up at the top' : `harm no file of ours: ${names}`),
  ]
}

function isKeptAway(shield: Shield, { files }: DoctorContext, top: string): boolean {
  if (shield.state === 'there') return true
  if (shield.state === 'block') return hasBlock(files.read(`${top}/${shield.path}`) ?? '')
  return shield.state === 'file' && files.read(`${top}/${shield.path}`) === shield.text
}

/** True when one of these formatters would change an event that is not in a fence, and one is there. */
async function hasBareEvent(
  { repository, settings }: DoctorContext,
  formatters: readonly Formatter[],
): Promise<boolean> {
  if (!formatters.some(({ changes }) => changes === 'bare events')) return false
  const { entries = [], overlay } = await placeOfWorktree(repository, settings.root)
  for (const { name, mode, oid } of entries) {
    if (!isRegularFile(mode) || !isEventFileName(nameToText(name))) continue
    const bytes = overlay.get(oid) ?? (await repository.objects.read(oid))?.content
    if (bytes !== undefined && !isFencedEvent(decodeEventText(bytes))) return true
  }
  return false
}

function byHand({ state }: Shield): number {
  return state === 'hand' ? 1 : 0
}

function messageOf(harmed: readonly { readonly formatter: Formatter }[]): string {
  const parts = harmed.map(({ formatter: { name, changes } }) => `${name} (${changes})`)
  return `not kept away from files that they would change: ${parts.join(', ')}`
}

function fixOf(shield: Shield): string {
  return shield.state === 'hand' ? shield.advice : INSTALL
}
