/** What archiving would do, as data: which events leave, what is written, what is purged. */

import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import { archiveDay, archivePath, renderArchived } from '../../core/event/archive-file.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import { SNAPSHOT_TYPE } from '../../core/event/snapshot.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import {
  eventsOf,
  ledgerPaths,
  placeOfRevision,
  placeOfWorktree,
} from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import type { SnapshotFile, StoredEvent } from './fold-snapshots.ts'
import { foldSnapshots } from './fold-snapshots.ts'

export interface NewFile {
  /** Path from the top of the repository. */
  readonly path: ByteName
  readonly text: string
}

export interface ArchivePlan {
  /** Events that leave `events/`, and where their text is kept. */
  readonly archived: readonly { readonly file: string; readonly path: ByteName }[]
  /** Old events that stay, and why. */
  readonly staying: readonly { readonly file: string; readonly reason: string }[]
  /** Snapshots that a new one stands for. */
  readonly folded: readonly string[]
  /** File names of the snapshots that take their place. */
  readonly snapshots: readonly string[]
  /** Archived files that are older than `archive.keep`. */
  readonly purged: readonly ByteName[]
  /** Files to write, and paths that go. */
  readonly written: readonly NewFile[]
  readonly removed: readonly ByteName[]
}

/** True when there is nothing to do. */
export function isEmptyPlan(plan: ArchivePlan): boolean {
  return plan.archived.length === 0 && plan.purged.length === 0
}

export async function planArchive(
  repository: RepositoryPort,
  settings: Settings,
  now: number,
  retention: number,
): Promise<ArchivePlan> {
  const paths = ledgerPaths(settings.root)
  const place = await placeOfWorktree(repository, settings.root)
  const { events } = await eventsOf(repository.objects, place)
  const cut = daysAgo(now, retention)
  const isOld = ({ ts, type }: LedgerEvent) => type !== SNAPSHOT_TYPE && ts < cut // snapshots never age
  const old = await withBytes(repository, place, events.filter(isOld))
  const changed = new Set(await repository.worktree.changed(paths.events))
  const pathOf = (file: string): ByteName => `${textToName(paths.events)}/${textToName(file)}`
  const known = new Set((place.entries ?? []).map(({ name }) => name))
  const obstacle = ({ event }: StoredEvent): string | undefined => {
    if (!known.has(textToName(event.file))) return 'its name is not UTF-8'
    return changed.has(pathOf(event.file)) ? 'it differs from what git holds' : undefined
  }
  const snapshots = events.filter(({ type }) => type === SNAPSHOT_TYPE)
  const fold = foldSnapshots(
    old.filter((one) => obstacle(one) === undefined),
    await withBytes(repository, place, snapshots),
    await committedFiles(repository, settings.root),
  )
  const kept = fold.leaving.map(({ event, bytes }) => archiveFile(paths.archive, event, bytes))
  const purged = await oldArchive(repository, paths.archive, now, settings.archiveKeepMillis)
  const again = new Set(kept.map(({ path }) => path))
  const leavingAgain = purged.filter((path) => !again.has(path))
  return {
    archived: kept.map(({ file, path }) => ({ file, path })),
    staying: [
      ...old.flatMap((one) => {
        const reason = obstacle(one)
        return reason === undefined ? [] : [{ file: one.event.file, reason }]
      }),
      ...fold.tooLarge.map((file) => ({ file, reason: 'it is too large for a snapshot' })),
      ...fold.waiting.map((file) => ({
        file,
        reason: 'a snapshot has it; it leaves with the next',
      })),
    ],
    folded: fold.folded,
    snapshots: fold.snapshots.map(({ file }) => file),
    purged: leavingAgain,
    written: [
      ...kept.map(({ path, text }) => ({ path, text })),
      ...fold.snapshots.map(({ file, text }: SnapshotFile) => ({ path: pathOf(file), text })),
    ],
    removed: [
      ...fold.leaving.map(({ event }) => pathOf(event.file)),
      ...fold.folded.map(pathOf),
      ...leavingAgain,
    ],
  }
}

async function committedFiles(repository: RepositoryPort, root: string): Promise<Set<string>> {
  const { entries } = await placeOfRevision(repository, 'HEAD', root)
  return new Set((entries ?? []).map(({ name }) => nameToText(name)))
}

/** The instant that is `millis` before `now`, as text to compare with; before year 0: nothing is older. */
function daysAgo(now: number, millis: number): string {
  const yearZero = -62_167_219_200_000
  return now - millis < yearZero ? '' : instantFromMillis(now - millis)
}

async function withBytes(
  repository: RepositoryPort,
  place: WorktreePlace,
  events: readonly LedgerEvent[],
): Promise<StoredEvent[]> {
  return Promise.all(
    events.map(async (event) => {
      const bytes =
        place.overlay.get(event.id) ?? (await repository.objects.read(event.id))?.content
      return { event, bytes: bytes ?? new Uint8Array() }
    }),
  )
}

function archiveFile(
  folder: string,
  { file, ts }: LedgerEvent,
  bytes: Uint8Array,
): NewFile & { readonly file: string } {
  const path = `${textToName(folder)}/${textToName(archivePath(file, ts))}`
  return { file, path, text: renderArchived({ file, bytes }) }
}

/** Archived files of days before the time to keep them, as far as a commit holds them. */
async function oldArchive(
  repository: RepositoryPort,
  folder: string,
  now: number,
  keep: number | undefined,
): Promise<ByteName[]> {
  if (keep === undefined) return []
  const day = daysAgo(now, keep).slice(0, 10)
  const depth = textToName(folder).length + 1
  const entries = await repository.index.list(folder)
  const old = entries
    .filter(({ mode, stage }) => stage === 0 && isRegularFile(mode))
    .filter(({ path }) => (archiveDay(nameToText(path.slice(depth))) ?? day) < day)
  const inHead = await Promise.all(
    old.map(({ path }) => repository.objects.find(`HEAD:${nameToText(path)}`)),
  )
  return old.filter(({ oid }, i) => inHead[i]?.oid === oid).map(({ path }) => path)
}
