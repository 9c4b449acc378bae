/** The ledger in a commit, and in a worktree at that commit; git is called for the worktree only if it looks stale. */

import { isEventFileName } from '../../core/event/event.ts'
import type { ByteName, TreeEntry } from '../../core/git/objects.ts'
import { emptyTreeOid, encodeTree, hashObject, nameToText } from '../../core/git/objects.ts'
import { parseProvenance } from '../../core/ledger/provenance.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { LedgerPlace } from '../ledger/ledger-sources.ts'
import {
  CURRENT_FILE,
  ledgerPaths,
  placeOfEntries,
  placeOfRevision,
} from '../ledger/ledger-sources.ts'
import { pendingEvents } from '../ledger/pending-events.ts'
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

/** Before the first commit: nothing is committed, and the settings are those of the current worktree. */
export function unbornPlace({ settings, repository }: FleetContext): HeadPlace {
  const eventsTree = emptyTreeOid(repository.place.format)
  return {
    settings,
    place: { entries: undefined, eventsTree, current: undefined, overlay: new Map() },
  }
}

export interface WorktreePlaces {
  /** HEAD's events and the pending events. */
  readonly place: LedgerPlace
  /** Names of the pending events. */
  readonly pending: readonly string[]
  /** The place whose rendering `current.md` on disk must be; undefined if unknown. */
  readonly shown: LedgerPlace | undefined
}

/** Event files in the folder that HEAD lacks are pending, staged or not. */
export async function worktreePlaces(
  {
    fleet,
    repository: {
      objects,
      place: { format },
    },
  }: Pick<FleetContext, 'fleet' | 'repository'>,
  top: string,
  { settings: { root }, place: head }: HeadPlace,
): Promise<WorktreePlaces> {
  const paths = ledgerPaths(root)
  const folder = `${top}/${paths.events}`
  const committed = namesOf(head)
  const overlay = new Map<string, Uint8Array>()
  const added = fleet
    .names(folder)
    .filter((name) => isLedgerFile(name) && !committed.has(name))
    .flatMap((name: ByteName): TreeEntry[] => {
      const bytes = fleet.bytes(folder, name)
      if (bytes === undefined) return []
      const oid = hashObject('blob', bytes, format)
      overlay.set(oid, bytes)
      return [{ mode: '100644', name, oid }]
    })
  const place = withFiles(head, added)
  const pending = await pendingEvents(objects, place, head)
  const shown = await shownPlace()
  return { place, pending: pending.map(nameToText), shown }

  /** As for `check`, `current.md` on disk may show HEAD's events, the index's, or also the pending ones. */
  async function shownPlace(): Promise<LedgerPlace | undefined> {
    const bytes = fleet.bytes(folder.slice(0, -'/events'.length), CURRENT_FILE)
    if (bytes === undefined) {
      if (head.current === undefined) {
        // Before a ledger is committed, staged events need their `current.md`.
        const isNew = head.entries === undefined && added.length > 0
        return { ...(isNew ? await stagedPlace() : head), current: undefined }
      }
      const isLeftOut = fleet.isLeftOut(top, paths.current)
      if (isLeftOut === undefined) return undefined
      return isLeftOut ? head : { ...head, current: undefined }
    }
    const text = Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n')
    const content = Buffer.from(text)
    const current = { oid: hashObject('blob', content, format), mode: '100644' }
    const tree = parseProvenance(text)?.eventsTree
    const isShown = (one: LedgerPlace) => one.eventsTree === tree
    const empty = withFiles(
      head,
      added.filter(({ name }) => name === KEEP_FILE),
    )
    const events =
      [place, empty, head].find(isShown) ??
      (tree === undefined ? undefined : (await stagedPlaces()).find(isShown)) ??
      head
    return { ...events, current, overlay: new Map([...overlay, [current.oid, content]]) }
  }

  async function stagedPlace(): Promise<LedgerPlace> {
    return placeOfEntries(await fleet.index(top).list(paths.current, paths.events), root, format)
  }

  /** A staged archive removes events that HEAD has. */
  async function stagedPlaces(): Promise<LedgerPlace[]> {
    const index = await stagedPlace()
    const staged = namesOf(index)
    const untracked = added.filter(({ name }) => !staged.has(name))
    return [withFiles(index, untracked), index]
  }

  function withFiles(base: LedgerPlace, files: readonly TreeEntry[]): LedgerPlace {
    const entries = [...(base.entries ?? []), ...files]
    return {
      entries: base.entries === undefined && files.length === 0 ? undefined : entries,
      eventsTree:
        files.length === 0 ? base.eventsTree : hashObject('tree', encodeTree(entries), format),
      current: base.current,
      overlay,
    }
  }
}

/** The file that keeps the folder of an empty ledger in git. */
const KEEP_FILE = '.gitkeep'

function isLedgerFile(name: ByteName): boolean {
  return name === KEEP_FILE || isEventFileName(nameToText(name))
}

function namesOf({ entries = [] }: LedgerPlace): ReadonlySet<ByteName> {
  return new Set(entries.map(({ name }) => name))
}
