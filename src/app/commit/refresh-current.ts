/**
 * Brings `current.md` back to the rendering of its events, in the index and in the worktree.
 *
 * Whatever is replaced is never lost: text that nobody can render again is kept as a blob and named.
 */

import type { Freshness } from '../ledger/freshness.ts'
import { freshnessOf } from '../ledger/freshness.ts'
import type { IndexPlace, LedgerPlace } from '../ledger/ledger-sources.ts'
import {
  ledgerPaths,
  placeOfIndex,
  placeOfRevision,
  renderPlace,
} from '../ledger/ledger-sources.ts'
import { readTree } from '../ledger/ledger-tree.ts'
import { renderTree } from '../ledger/render-tree.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { IndexPort, RepositoryPort } from '../ports.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import { hasConflictMarkers, isRendered, parseProvenance } from '../../core/ledger/provenance.ts'
import { textToName } from '../../core/git/objects.ts'
import { saysNothing } from '../../core/migrate/read-source.ts'
import { isMigrated } from '../ledger/unmanaged-ledger.ts'

export type Say = (message: string) => void

/** Regenerates the index's `current.md` if it is stale. Stages that one path and nothing else. */
export async function refreshIndex(
  repository: RepositoryPort,
  { root, mode }: LedgerMode,
  say: Say,
  options: { worktree: boolean } = { worktree: true },
): Promise<{ changed: boolean; state: Freshness }> {
  const place = await placeOfIndex(repository, root)
  const state = await freshnessOf(repository.objects, place, mode)
  if (isOutOfGit(place, mode) && options.worktree)
    await renderWorktree(repository, root, place, say)
  if (state.fresh || state.expected === undefined) return { changed: false, state }
  await stageCurrent(repository, root, place, state.expected, say, options)
  return { changed: true, state }
}

export type LedgerMode = Pick<Settings, 'root' | 'mode'>

/** True where `current.md` is in the worktree only. */
export function isOutOfGit(place: LedgerPlace, mode: Settings['mode']): boolean {
  return mode === 'untracked' && place.current === undefined
}

/** `mode: untracked`: writes the worktree's `current.md` from the index's events. */
export async function renderWorktree(
  repository: RepositoryPort,
  root: string,
  place: IndexPlace,
  say: Say,
): Promise<void> {
  if (place.entries === undefined) return // nobody keeps a ledger on this branch
  const text = await renderPlace(repository.objects, place)
  await syncWorktree(repository, root, text, [], say)
}

/**
 * Stages through `change` and regenerates the index's `current.md` with it, at once or not at all; the
 * worktree's copy follows.
 */
export async function stageFresh(
  repository: RepositoryPort,
  settings: LedgerMode,
  change: (index: IndexPort) => Promise<void>,
  say: Say,
): Promise<void> {
  const before = await placeOfIndex(repository, settings.root)
  await repository.changeIndex(async (changed) => {
    await change(changed.index)
    await refreshIndex(changed, settings, say, { worktree: false })
  })
  const place = await placeOfIndex(repository, settings.root)
  if (isOutOfGit(place, settings.mode)) {
    await renderWorktree(repository, settings.root, place, say)
  } else await copyIndexed(repository, settings.root, place, [before.current?.oid], say)
}

/** Writes the index's `current.md` into the worktree; `known`: blobs that are stored somewhere already. */
export async function copyIndexed(
  repository: RepositoryPort,
  root: string,
  { currentEntry }: IndexPlace,
  known: readonly (string | undefined)[],
  say: Say,
): Promise<void> {
  if (currentEntry === undefined || currentEntry.skipWorktree) return
  const content = (await repository.objects.read(currentEntry.oid))?.content
  if (content === undefined) return
  const oids = [currentEntry.oid, ...known].filter((oid) => oid !== undefined)
  await syncWorktree(repository, root, Buffer.from(content).toString('utf8'), oids, say)
  await repository.changeIndex(({ index }) => index.refresh(ledgerPaths(root).current))
}

/** Puts `text` into the index and brings the worktree's copy along. */
export async function stageCurrent(
  repository: RepositoryPort,
  root: string,
  place: IndexPlace,
  text: string,
  say: Say,
  options: { worktree: boolean } = { worktree: true },
): Promise<void> {
  const path = ledgerPaths(root).current
  const old = place.currentEntry
  const head = (await placeOfRevision(repository, 'HEAD', root)).current?.oid
  if (old !== undefined && old.oid !== head) await keepHandEdit(repository, root, old.oid, say)
  else if (head !== undefined) await nameHandKept(repository, root, head, say)
  // What the text names must be there: else a later run takes the text for somebody's own.
  if (place.entries !== undefined) await repository.writeTree(place.entries)
  await repository.index.put(path, await repository.writeBlob(text), old?.skipWorktree)
  const known = [old?.oid, head].filter((oid) => oid !== undefined)
  if (options.worktree && old?.skipWorktree !== true)
    await syncWorktree(repository, root, text, known, say)
  await repository.index.refresh(path)
}

/** Writes the worktree's `current.md`; `known`: blobs that are stored somewhere already. */
export async function syncWorktree(
  repository: RepositoryPort,
  root: string,
  text: string,
  known: readonly string[],
  say: Say,
): Promise<void> {
  const path = ledgerPaths(root).current
  const bytes = await repository.worktree.read(path)
  if (bytes !== undefined) {
    if (Buffer.from(bytes).equals(Buffer.from(text))) return
    const [oid = ''] = await repository.worktree.hashFiles([textToName(path)], false)
    if (
      !known.includes(oid) &&
      !(await isRendering(repository, Buffer.from(bytes).toString('utf8')))
    ) {
      await repository.worktree.hashFiles([textToName(path)], true)
      await sayKept(repository, root, { oid, bytes }, say)
    }
  }
  await repository.worktree.write(path, text)
}

async function keepHandEdit(
  repository: RepositoryPort,
  root: string,
  oid: string,
  say: Say,
): Promise<void> {
  const bytes = (await repository.objects.read(oid))?.content ?? new Uint8Array()
  const text = Buffer.from(bytes).toString('utf8')
  // After `git commit -- path`: the hook before has named it.
  const before = isByHand(bytes) && (await placeOfRevision(repository, 'HEAD^', root)).current?.oid
  if (before === oid) return
  if (!(await isRendering(repository, text))) await sayKept(repository, root, { oid, bytes }, say)
}

/** HEAD holds what people kept by hand: the history keeps it, and `migrate` finds it there. */
export async function nameHandKept(
  repository: RepositoryPort,
  root: string,
  oid: string,
  say: Say,
): Promise<void> {
  const bytes = (await repository.objects.read(oid))?.content ?? new Uint8Array()
  if (!isByHand(bytes)) return
  if (saysNothing(Buffer.from(bytes).toString('utf8'))) {
    say(
      `ledger-git: ${ledgerPaths(root).current} of older hooks said nothing; it is now the rendering of events/`,
    )
    return
  }
  if (await isMigrated(repository, root, bytes)) return
  say(
    `ledger-git: ${ledgerPaths(root).current} was kept by hand and is now the rendering of events/; ` +
      `the old text is kept: git show ${oid}\n` +
      '  next: ledger-git migrate (makes an event of it)',
  )
}

/** Neither a rendering nor, in conflict, two of them. */
function isByHand(bytes: Uint8Array): boolean {
  return !isRendered(Buffer.from(bytes).toString('utf8'))
}

/** True when nothing is lost by regenerating: a rendering that comes out again, or two in conflict. */
async function isRendering(repository: RepositoryPort, text: string): Promise<boolean> {
  const unix = text.replaceAll('\r\n', '\n')
  if (isRendered(unix) && hasConflictMarkers(unix)) return true
  const tree = parseProvenance(unix)?.eventsTree
  if (tree === undefined) return false
  // The empty ledger of `install`, whose tree is in no database yet.
  if (renderLedger(foldLedger([]), tree) === unix) return true
  try {
    const { objects } = repository
    return (await renderTree(objects, tree, () => readTree(objects, tree))) === unix
  } catch {
    return false // the tree is not here: only these bytes can tell what they said
  }
}

async function sayKept(
  repository: RepositoryPort,
  root: string,
  { oid, bytes }: { oid: string; bytes: Uint8Array },
  say: Say,
): Promise<void> {
  const isWhole = isByHand(bytes)
  if (isWhole && (await isMigrated(repository, root, bytes))) return
  say(
    `ledger-git: ${ledgerPaths(root).current} is generated and was regenerated; the edited text is kept: git show ${oid}\n` +
      (isWhole
        ? `  into the ledger: git show ${oid} >old.md && ledger-git migrate old.md`
        : '  to change the ledger, add an event: ledger-git event add --help'),
  )
}
