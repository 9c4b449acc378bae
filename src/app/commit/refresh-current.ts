/**
 * Regenerates `current.md` from its events, in the index and in the worktree.
 *
 * Replaced text is never lost: if it cannot be rendered again, it is kept as a blob and the blob is named.
 */

import type { Blob } from '../../core/commit/commit-mark.ts'
import { hashObject, isRegularFile, textToName } from '../../core/git/objects.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { intoTheLedger, replacedByHand } from '../../core/ledger/kept-by-hand.ts'
import { hasConflictMarkers, isRendered, parseProvenance } from '../../core/ledger/provenance.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import type { Freshness } from '../ledger/freshness.ts'
import { freshnessOf, refuseNewerFormat } from '../ledger/freshness.ts'
import type { IndexPlace, LedgerPlace } from '../ledger/ledger-sources.ts'
import { ledgerPaths, placeOfIndex } from '../ledger/ledger-sources.ts'
import { readTree } from '../ledger/ledger-tree.ts'
import { renderTree } from '../ledger/render-tree.ts'
import { isMigrated } from '../ledger/unmanaged-ledger.ts'
import type { GitObject, IndexPort, LedgerContext, RepositoryPort } from '../ports.ts'

/** If `current.md` is stale, stages the rendering of the index's events; touches no other path. */
export async function stageCurrent(
  context: LedgerContext,
): Promise<{ isChanged: boolean; state: Freshness }> {
  const { repository, settings } = context
  const { index, writer } = repository
  const path = ledgerPaths(settings.root).current
  const place = await placeOfIndex(repository, settings.root)
  const { oid, state } = await storeCurrent(context, place)
  if (oid === undefined) return { isChanged: false, state }
  writer.flush()
  const { skipWorktree = false, mode = '' } = place.currentEntry ?? {}
  const after = { mode: currentMode(mode), oid, skipWorktree }
  await index.change([{ path: textToName(path), after }])
  return { isChanged: true, state }
}

/** Keeps a mode set by the user (`chmod -R +x`): with any other, the file would look changed after each commit. */
export function currentMode(before: string): string {
  return isRegularFile(before) ? before : '100644'
}

/**
 * Hands the rendering of a place's events to the repository's object writer, and names the text that it replaces. No id
 * is returned if the place's `current.md` is fresh.
 */
export async function storeCurrent(
  context: LedgerContext,
  place: LedgerPlace,
): Promise<{ oid: string | undefined; state: Freshness }> {
  const { repository, settings } = context
  const { objects, writer } = repository
  const state = await freshnessOf(objects, place, settings.mode)
  if (state.fresh || state.expected === undefined) return { oid: undefined, state }
  const head = await objects.find(`HEAD:${ledgerPaths(settings.root).current}`)
  const old = place.current?.oid
  if (old !== undefined && old !== head?.oid) await nameStaged(context, old)
  else if (head !== undefined) await nameCommitted(context, head)
  // The tree that the text names must exist: otherwise a later run would take the text for hand-written.
  if (place.entries !== undefined) writer.tree(place.entries)
  const [oid] = writer.blobs([state.expected])
  return { oid, state }
}

/** Atomically stages what `change` stages together with a fresh `current.md`, then updates the worktree. */
export async function stageFresh(
  context: LedgerContext,
  change: (index: IndexPort) => Promise<void>,
): Promise<void> {
  const { repository, settings } = context
  const before = await placeOfIndex(repository, settings.root)
  await repository.changeIndex(async (changed) => {
    await change(changed.index)
    await stageCurrent({ ...context, repository: changed })
  })
  await followIndex(context, before.current?.oid)
}

/**
 * Writes the worktree's `current.md`: the index's version, or with `mode: untracked` the rendering of the index's
 * events. `before` is the blob that the index had; it may be replaced. `known` is the index's present entry; a caller
 * that passes it refreshes the index itself.
 */
export async function followIndex(
  context: LedgerContext,
  before?: string,
  known?: Blob,
): Promise<void> {
  const { repository, settings } = context
  const place = known === undefined ? await placeOfIndex(repository, settings.root) : undefined
  if (place !== undefined && (await renderOutOfGit(context, place))) return
  const entry = known ?? place?.currentEntry
  const content = entry?.skipWorktree !== true && (await repository.objects.read(entry?.oid ?? ''))
  if (!entry || !content) return
  const path = ledgerPaths(settings.root).current
  const head = (await repository.objects.find(`HEAD:${path}`))?.oid
  await writeCurrent(context, toText(content.content), [entry.oid, before, head])
  if (known === undefined) await repository.changeIndex(({ index }) => index.refresh(path))
}

/** With `mode: untracked`, writes the worktree's `current.md` from the index's events. False if git tracks the file. */
export async function renderOutOfGit(context: LedgerContext, known?: IndexPlace): Promise<boolean> {
  const { repository, settings } = context
  if (settings.mode !== 'untracked') return false
  const place = known ?? (await placeOfIndex(repository, settings.root))
  if (place.current !== undefined) return false
  // Without events there is no ledger on this branch.
  if (place.entries !== undefined) {
    await writeCurrent(context, await renderTree(repository.objects, place))
  }
  return true
}

/** Writes the worktree's `current.md`. `known`: blobs that are already stored somewhere. Throws `FORMAT_TOO_NEW`. */
export async function writeCurrent(
  context: LedgerContext,
  text: string,
  known: readonly (string | undefined)[] = [],
): Promise<void> {
  const { repository, settings } = context
  const { worktree } = repository
  const path = ledgerPaths(settings.root).current
  const content = await worktree.read(path)
  if (content !== undefined) {
    if (Buffer.from(content).equals(Buffer.from(text))) return
    refuseNewerFormat(toText(content))
    const isStored = known.includes(hashObject('blob', content, repository.place.format))
    if (!isStored && !(await isRendering(repository, toText(content)))) {
      const [oid = ''] = await worktree.hashFiles([textToName(path)], true)
      if (!known.includes(oid)) await nameKept(context, oid, content)
    }
  }
  await worktree.write(path, text)
}

/** Names a text that the index held but that no commit has. */
async function nameStaged(context: LedgerContext, oid: string): Promise<void> {
  const { objects } = context.repository
  const content = (await objects.read(oid))?.content ?? new Uint8Array()
  const text = toText(content)
  // After `git commit -- path`, pre-commit has already named the text.
  const path = ledgerPaths(context.settings.root).current
  if (!isRendered(text) && (await objects.find(`HEAD^:${path}`))?.oid === oid) return
  if (!(await isRendering(context.repository, text))) await nameKept(context, oid, content)
}

/** Names a hand-kept text that HEAD holds: history keeps it. */
async function nameCommitted(context: LedgerContext, head: GitObject): Promise<void> {
  const { repository, settings, say } = context
  const text = toText(head.content)
  const path = ledgerPaths(settings.root).current
  if (isRendered(text)) return
  const { saysNothing } = await import('../../core/migrate/read-source.ts')
  if (saysNothing(text)) {
    say(
      `ledger-git: ${path} from older hooks held no information; it is now the rendering of events/`,
    )
  } else if (!(await isMigrated(repository, settings.root, head.content))) {
    say(replacedByHand(path, head.oid))
  }
}

async function nameKept(
  { repository, settings, say }: LedgerContext,
  oid: string,
  content: Uint8Array,
): Promise<void> {
  const isByHand = !isRendered(toText(content))
  if (isByHand && (await isMigrated(repository, settings.root, content))) return
  say(
    `ledger-git: ${ledgerPaths(settings.root).current} is generated and was regenerated; the edited text is kept: git show ${oid}\n` +
      (isByHand
        ? intoTheLedger(oid)
        : '  to change the ledger, add an event: ledger-git event add --help'),
  )
}

/** True if regenerating loses nothing: the text is a rendering that can be reproduced, or two in conflict. */
export async function isRendering({ objects }: RepositoryPort, text: string): Promise<boolean> {
  const unix = text.replaceAll('\r\n', '\n')
  if (isRendered(unix) && hasConflictMarkers(unix)) return true
  const tree = parseProvenance(unix)?.eventsTree
  if (tree === undefined) return false
  // The empty ledger that `install` writes; its tree may not be in the object database yet.
  if (renderLedger(foldLedger([]), tree) === unix) return true
  try {
    const entries = await readTree(objects, tree)
    return (await renderTree(objects, { eventsTree: tree, entries })) === unix
  } catch {
    return false // the tree is not here, so the text cannot be reproduced
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
