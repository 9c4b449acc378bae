/** What archiving would do, as data: which events leave, what is written, what is purged. */

import type { ByteName } from '../../core/git/objects.ts'
import { hashObject, nameToText, textToName } from '../../core/git/objects.ts'
import { archivePath, parseArchived, renderArchived } from '../../core/event/archive-file.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import { SNAPSHOT_TYPE } from '../../core/event/snapshot.ts'
import type { Settings } from '../../core/settings/settings.ts'
import {
  eventsOf,
  ledgerPaths,
  placeOfRevision,
  placeOfWorktree,
} from '../ledger/ledger-sources.ts'
import { archivedFiles } from '../ledger/read-archive.ts'
import type { RepositoryPort } from '../ports.ts'
import type { StoredEvent } from './fold-snapshots.ts'
import { foldSnapshots } from './fold-snapshots.ts'
import { leftArchived } from './left-archived.ts'

export interface NewFile {
  /** Relative to the top of the repository. */
  readonly path: ByteName
  readonly text: string
}

export interface ArchivePlan {
  /** Events that leave `events/`, and where their text is kept. */
  readonly archived: readonly { readonly file: string; readonly path: ByteName }[]
  /** Old events that stay, and why. */
  readonly staying: readonly { readonly file: string; readonly reason: string }[]
  /** Snapshots that a new snapshot replaces. */
  readonly folded: readonly string[]
  /** File names of the new snapshots. */
  readonly snapshots: readonly string[]
  /** Archived files that are older than `archive.keep`. */
  readonly purged: readonly ByteName[]
  /** Pending events that HEAD already has in the archive: a killed run left them in the worktree. */
  readonly leftBehind: readonly ByteName[]
  /** Archived files that a killed run left although their events stay. */
  readonly leftArchived: readonly ByteName[]
  /** Files to write, and paths to remove. */
  readonly written: readonly NewFile[]
  readonly removed: readonly ByteName[]
}

/** True if there is nothing to do. */
export function isEmptyPlan(plan: ArchivePlan): boolean {
  return !changesGit(plan) && plan.leftBehind.length + plan.leftArchived.length === 0
}

/** True if there is something to stage or commit. */
export function changesGit({ archived, purged }: ArchivePlan): boolean {
  return archived.length > 0 || purged.length > 0
}

export async function planArchive(
  repository: RepositoryPort,
  settings: Settings,
  now: number,
  retention: number,
): Promise<ArchivePlan> {
  const { index, objects } = repository
  const paths = ledgerPaths(settings.root)
  const place = await placeOfWorktree(repository, settings.root)
  const { events } = await eventsOf(objects, place)
  const withBytes = (wanted: readonly LedgerEvent[]): Promise<StoredEvent[]> =>
    Promise.all(
      wanted.map(async (event) => {
        const bytes = place.overlay.get(event.id) ?? (await objects.read(event.id))?.content
        return { event, bytes: bytes ?? new Uint8Array() }
      }),
    )
  const cut = daysAgo(now, retention)
  const isOld = ({ ts, type }: LedgerEvent) => type !== SNAPSHOT_TYPE && ts < cut // snapshots never age
  const old = await withBytes(events.filter(isOld))
  const changes = (await index.changes(paths.events)).filter(({ isEdited }) => isEdited)
  const changed = new Set(changes.map(({ path }) => path))
  const pathOf = (file: string): ByteName => `${textToName(paths.events)}/${textToName(file)}`
  const known = new Set((place.entries ?? []).map(({ name }) => name))
  const obstacle = ({ event: { file } }: StoredEvent): string | undefined => {
    if (!known.has(textToName(file))) return 'its name is not UTF-8'
    return changed.has(pathOf(file)) ? 'it differs from what git holds' : undefined
  }
  const head = await placeOfRevision(repository, 'HEAD', settings.root)
  const fold = foldSnapshots(
    old.filter((one) => obstacle(one) === undefined),
    await withBytes(events.filter(({ type }) => type === SNAPSHOT_TYPE)),
    new Set((head.entries ?? []).map(({ name }) => nameToText(name))),
  )
  const folder = textToName(paths.archive)
  const kept = fold.leaving.map(({ event: { file, ts }, bytes }) => {
    const path = `${folder}/${textToName(archivePath(file, ts))}`
    return { file, path, text: renderArchived({ file, bytes }) }
  })
  const again = new Set(kept.map(({ path }) => path))
  const purged = (await outdated(repository, settings, now)).filter((path) => !again.has(path))
  const left = await leftArchived(repository, settings.root, place.entries ?? [])
  const waiting = 'a snapshot already has it; it leaves with the next one'
  const waitingFiles = new Set(fold.waiting)
  const leftBehind: string[] = []
  for (const { event } of place.untracked.length === 0 ? [] : old) {
    const { file, id } = event
    if (!waitingFiles.has(file) || !place.untracked.includes(pathOf(file))) continue
    if ((await archivedOid(repository, paths.archive, event)) === id) leftBehind.push(file)
  }
  return {
    archived: kept.map(({ file, path }) => ({ file, path })),
    staying: [
      ...old.flatMap((one) => {
        const reason = obstacle(one)
        return reason === undefined ? [] : [{ file: one.event.file, reason }]
      }),
      ...fold.tooLarge.map((file) => ({ file, reason: 'it is too large for a snapshot' })),
      ...fold.waiting
        .filter((file) => !leftBehind.includes(file))
        .map((file) => ({ file, reason: waiting })),
    ],
    folded: fold.folded,
    snapshots: fold.snapshots.map(({ file }) => file),
    purged,
    leftBehind: leftBehind.map(pathOf),
    leftArchived: left.filter((path) => !again.has(path)),
    written: [
      ...kept.map(({ path, text }) => ({ path, text })),
      ...fold.snapshots.map(({ file, text }) => ({ path: pathOf(file), text })),
    ],
    removed: [
      ...fold.leaving.map(({ event }) => pathOf(event.file)),
      ...fold.folded.map(pathOf),
      ...purged,
    ],
  }
}

/** The blob id of an event's text in HEAD's archive; undefined if it is not there. */
async function archivedOid(
  { objects, place }: RepositoryPort,
  folder: string,
  { file, ts }: LedgerEvent,
): Promise<string | undefined> {
  const blob = await objects.find(`HEAD:${folder}/${archivePath(file, ts)}`)
  const archived = blob && parseArchived(Buffer.from(blob.content).toString('utf8'))
  return archived?.file === file ? hashObject('blob', archived.bytes, place.format) : undefined
}

/** The instant `millis` before `now`, as text for comparisons; empty before year 0, so that nothing is older. */
function daysAgo(now: number, millis: number): string {
  const yearZero = -62_167_219_200_000
  return now - millis < yearZero ? '' : instantFromMillis(now - millis)
}

/** Archived files of days before the keep period, if a commit holds them. */
async function outdated(
  repository: RepositoryPort,
  settings: Settings,
  now: number,
): Promise<ByteName[]> {
  const keep = settings.archiveKeepMillis
  if (keep === undefined) return []
  const first = daysAgo(now, keep).slice(0, 10)
  const old = (await archivedFiles(repository, settings)).filter(({ day }) => day < first)
  const found = old.map(({ path }) => repository.objects.find(`HEAD:${nameToText(path)}`))
  const inHead = await Promise.all(found)
  return old.filter(({ oid }, i) => inHead[i]?.oid === oid).map(({ path }) => path)
}
