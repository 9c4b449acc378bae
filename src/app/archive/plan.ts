/** What archiving would do, as data: which events leave, what is written, what is purged. */

import type { ByteName } from '../../core/git-objects.ts'
import { isRegularFile, nameToText, textToName } from '../../core/git-objects.ts'
import { archiveDay, archivePath, renderArchived } from '../../core/ledger/archive-file.ts'
import type { LedgerEvent } from '../../core/ledger/event.ts'
import { instantFromMillis } from '../../core/ledger/instant.ts'
import { newSnapshot, SNAPSHOT_TYPE } from '../../core/ledger/snapshot.ts'
import { eventFileName, renderEvent } from '../../core/ledger/write-event.ts'
import type { Settings } from '../../core/settings.ts'
import type { WorktreePlace } from '../ledger-places.ts'
import { eventsOf, ledgerPaths, placeOfWorktree } from '../ledger-places.ts'
import type { RepositoryPort } from '../ports.ts'

/**
 * A snapshot larger than this is not folded into the next one: each archiving run would write it
 * anew, and git could not tell two of them apart (docs/decisions/0013). Bytes.
 */
const MAX_FOLDED = 256 * 1024

export interface NewFile {
  /** Path from the top of the repository. */
  readonly path: ByteName
  readonly text: string
}

export interface ArchivePlan {
  /** Events that leave `events/`, and where their text is kept (undefined: purged already). */
  readonly archived: readonly { readonly file: string; readonly path: ByteName | undefined }[]
  /** Snapshots that the new one stands for. */
  readonly folded: readonly string[]
  /** File name of the snapshot that takes their place; undefined when nothing of them lasts. */
  readonly snapshot: string | undefined
  /** Archived files that are older than `archive.keep`. */
  readonly purged: readonly ByteName[]
  /** Event files that differ from what git holds: left alone. */
  readonly edited: readonly string[]
  /** Files to write, and paths that go. */
  readonly written: readonly NewFile[]
  readonly removed: readonly ByteName[]
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
  const changed = new Set(await repository.worktree.changed(paths.events))
  const pathOf = (file: string): ByteName => `${textToName(paths.events)}/${textToName(file)}`
  const cut = instantFromMillis(Math.max(0, now - retention))
  // A snapshot never ages, even one that cannot be read.
  const old = events.filter(({ ts, type }) => type !== SNAPSHOT_TYPE && ts < cut)
  const edited = old.filter(({ file }) => changed.has(pathOf(file)))
  const leaving = old.filter(({ file }) => !changed.has(pathOf(file)))
  const purgeDay = dayBefore(now, settings.archiveKeepMillis)
  const kept = await keptFiles(repository, place, settings.root, leaving, purgeDay)
  const fold = await foldSnapshots(repository, place, leaving, events)
  const purged = await oldArchive(repository, settings.root, purgeDay)
  const folded = fold.folded.filter((file) => file !== fold.snapshot?.file)
  const keptPath = new Map(kept.map(({ file, path }) => [file, path]))
  return {
    archived: leaving.map(({ file }) => ({ file, path: keptPath.get(file) })),
    folded,
    snapshot: fold.snapshot?.file,
    purged,
    edited: edited.map(({ file }) => file),
    written: [
      ...kept.map(({ path, text }) => ({ path, text })),
      ...(fold.snapshot === undefined
        ? []
        : [{ path: pathOf(fold.snapshot.file), text: fold.snapshot.text }]),
    ],
    removed: [...leaving.map(({ file }) => pathOf(file)), ...folded.map(pathOf), ...purged],
  }
}

/** The first day that is kept, as `YYYY-MM-DD`; empty: every day is. */
function dayBefore(now: number, keep: number | undefined): string {
  return keep === undefined ? '' : instantFromMillis(Math.max(0, now - keep)).slice(0, 10)
}

/** The archive's files for these events, but those it would purge at once. */
async function keptFiles(
  repository: RepositoryPort,
  place: WorktreePlace,
  root: string,
  leaving: readonly LedgerEvent[],
  purgeDay: string,
): Promise<(NewFile & { file: string })[]> {
  const folder = textToName(ledgerPaths(root).archive)
  const kept = leaving.filter(({ ts }) => ts.slice(0, 10) >= purgeDay)
  return Promise.all(
    kept.map(async ({ file, id, ts }) => {
      const bytes = place.overlay.get(id) ?? (await repository.objects.read(id))?.content
      const text = renderArchived({ file, bytes: bytes ?? new Uint8Array() })
      return { file, path: `${folder}/${textToName(archivePath(file, ts))}`, text }
    }),
  )
}

async function foldSnapshots(
  repository: RepositoryPort,
  place: WorktreePlace,
  leaving: readonly LedgerEvent[],
  events: readonly LedgerEvent[],
): Promise<{ folded: string[]; snapshot: { file: string; text: string } | undefined }> {
  if (leaving.length === 0) return { folded: [], snapshot: undefined }
  const sizes = await Promise.all(
    events
      .filter(({ covers }) => covers.length > 0)
      .map(async (event) => {
        const bytes =
          place.overlay.get(event.id) ?? (await repository.objects.read(event.id))?.content
        return { event, size: bytes?.length ?? Infinity }
      }),
  )
  const folded = sizes.filter(({ size }) => size <= MAX_FOLDED).map(({ event }) => event)
  const snapshot = newSnapshot([...leaving, ...folded])
  if (snapshot === undefined) return { folded: [], snapshot: undefined }
  const text = renderEvent(snapshot)
  const newest = [...leaving, ...folded].map(({ ts }) => ts).reduce((a, b) => (a > b ? a : b))
  const file = eventFileName(newest, snapshot.agent, text)
  return { folded: folded.map((event) => event.file), snapshot: { file, text } }
}

/** Archived files of days before `purgeDay`. */
async function oldArchive(
  repository: RepositoryPort,
  root: string,
  purgeDay: string,
): Promise<ByteName[]> {
  if (purgeDay === '') return []
  const folder = ledgerPaths(root).archive
  const depth = textToName(folder).length + 1
  const entries = await repository.index.list(folder)
  return entries
    .filter(({ mode, stage }) => stage === 0 && isRegularFile(mode))
    .map(({ path }) => path)
    .filter((path) => (archiveDay(nameToText(path.slice(depth))) ?? purgeDay) < purgeDay)
}
