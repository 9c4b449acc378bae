/** Where the ledger is in a commit, and in a worktree on it, without asking git about the worktree. */

import { isEventFileName } from '../../core/event/event.ts'
import type { ByteName, TreeEntry } from '../../core/git/objects.ts'
import { encodeTree, hashObject, nameToText } from '../../core/git/objects.ts'
import { parseProvenance } from '../../core/ledger/provenance.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import { CURRENT_FILE, ledgerPaths, placeOfRevision } from '../ledger/ledger-sources.ts'
import { settingsOfRevision } from '../ledger/read-settings.ts'
import type { RepositoryPort } from '../ports.ts'
import type { FleetContext } from './fleet-context.ts'

export interface HeadPlace {
  readonly settings: Pick<Settings, 'root' | 'mode'>
  readonly place: LedgerPlace
}

export async function headPlace(repository: RepositoryPort, commit: string): Promise<HeadPlace> {
  const settings = await settingsOfRevision(repository, commit)
  return { settings, place: await placeOfRevision(repository, commit, settings.root) }
}

export interface WorktreePlaces {
  /** HEAD's events and the pending ones. */
  readonly place: LedgerPlace
  /** Names of the pending ones. */
  readonly pending: readonly string[]
  /** The place whose rendering `current.md` on disk must be; undefined where nobody can tell. */
  readonly shown: LedgerPlace | undefined
}

/** Events lie in the folder as files: those that HEAD lacks are pending, staged or not. */
export function worktreePlaces(
  {
    fleet,
    repository: {
      place: { format },
    },
  }: Pick<FleetContext, 'fleet' | 'repository'>,
  top: string,
  { settings: { root }, place: head }: HeadPlace,
): WorktreePlaces {
  const paths = ledgerPaths(root)
  const folder = `${top}/${paths.events}`
  const committed = new Set(head.entries?.map(({ name }) => name))
  const overlay = new Map<string, Uint8Array>()
  const added = fleet
    .names(folder)
    .filter((name) => isEventFileName(nameToText(name)) && !committed.has(name))
    .flatMap((name: ByteName): TreeEntry[] => {
      const bytes = fleet.bytes(folder, name)
      if (bytes === undefined) return []
      const oid = hashObject('blob', bytes, format)
      overlay.set(oid, bytes)
      return [{ mode: '100644', name, oid }]
    })
  const entries = [...(head.entries ?? []), ...added]
  const place: LedgerPlace = {
    entries: head.entries === undefined && added.length === 0 ? undefined : entries,
    eventsTree:
      added.length === 0 ? head.eventsTree : hashObject('tree', encodeTree(entries), format),
    current: head.current,
    overlay,
  }
  const pending = added.map(({ name }) => nameToText(name))
  return { place, pending, shown: shownPlace() }

  /** `current.md` on disk may show HEAD's events, or the pending ones, too. */
  function shownPlace(): LedgerPlace | undefined {
    const bytes = fleet.bytes(folder.slice(0, -'/events'.length), CURRENT_FILE)
    if (bytes === undefined) {
      if (head.current === undefined) return { ...head, current: undefined }
      const isLeftOut = fleet.isLeftOut(top, paths.current)
      if (isLeftOut === undefined) return undefined
      return isLeftOut ? head : { ...head, current: undefined }
    }
    const text = Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n')
    const content = Buffer.from(text)
    const current = { oid: hashObject('blob', content, format), mode: '100644' }
    const tree = parseProvenance(text)?.eventsTree
    const events = tree === place.eventsTree ? place : head
    return { ...events, current, overlay: new Map([...overlay, [current.oid, content]]) }
  }
}
