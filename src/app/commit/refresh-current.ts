/**
 * Brings `current.md` back to the rendering of its events, in the index and in the worktree.
 *
 * Whatever is replaced is never lost: text that nobody can render again is kept as a blob and named.
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

/** Stages the rendering of the index's events if `current.md` is stale; that one path and nothing else. */
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

/** `chmod -R +x` is the user's: with another mode than the file has it would look changed after each commit. */
export function currentMode(before: string): string {
  return isRegularFile(before) ? before : '100644'
}

/**
 * Gives the repository's writer the rendering of a place's events, and names what it replaces. No id where the
 * place's `current.md` is fresh.
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
  // What the text names must be there: else a later run takes the text for somebody's own.
  if (place.entries !== undefined) writer.tree(place.entries)
  const [oid] = writer.blobs([state.expected])
  return { oid, state }
}

/** Stages through `change` and `current.md` with it, at once or not at all; the worktree follows. */
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
 * Writes the worktree's `current.md`: what the index has, or with `mode: untracked` the rendering of its
 * events. `before`: the blob that the index had, which may be replaced. `known`: its entry of now; who knows it
 * refreshes the index.
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

/** `mode: untracked`: writes the worktree's `current.md` from the index's events. False where git has it. */
export async function renderOutOfGit(context: LedgerContext, known?: IndexPlace): Promise<boolean> {
  const { repository, settings } = context
  if (settings.mode !== 'untracked') return false
  const place = known ?? (await placeOfIndex(repository, settings.root))
  if (place.current !== undefined) return false
  // Without events nobody keeps a ledger on this branch.
  if (place.entries !== undefined) {
    await writeCurrent(context, await renderTree(repository.objects, place))
  }
  return true
}

/** Writes the worktree's `current.md`; `known`: blobs that are stored somewhere already. Throws `FORMAT_TOO_NEW`. */
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

/** The index held a text that no commit has. */
async function nameStaged(context: LedgerContext, oid: string): Promise<void> {
  const { objects } = context.repository
  const content = (await objects.read(oid))?.content ?? new Uint8Array()
  const text = toText(content)
  // After `git commit -- path`: the hook before has named it.
  const path = ledgerPaths(context.settings.root).current
  if (!isRendered(text) && (await objects.find(`HEAD^:${path}`))?.oid === oid) return
  if (!(await isRendering(context.repository, text))) await nameKept(context, oid, content)
}

/** HEAD holds what people kept by hand: the history keeps it. */
async function nameCommitted(context: LedgerContext, head: GitObject): Promise<void> {
  const { repository, settings, say } = context
  const text = toText(head.content)
  const path = ledgerPaths(settings.root).current
  if (isRendered(text)) return
  const { saysNothing } = await import('../../core/migrate/read-source.ts')
  if (saysNothing(text)) {
    say(`ledger-git: ${path} of older hooks said nothing; it is now the rendering of events/`)
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

/** True when nothing is lost by regenerating: a rendering that comes out again, or two in conflict. */
export async function isRendering({ objects }: RepositoryPort, text: string): Promise<boolean> {
  const unix = text.replaceAll('\r\n', '\n')
  if (isRendered(unix) && hasConflictMarkers(unix)) return true
  const tree = parseProvenance(unix)?.eventsTree
  if (tree === undefined) return false
  // The empty ledger of `install`, whose tree is in no database yet.
  if (renderLedger(foldLedger([]), tree) === unix) return true
  try {
    const entries = await readTree(objects, tree)
    return (await renderTree(objects, { eventsTree: tree, entries })) === unix
  } catch {
    return false // the tree is not here: only these bytes can tell what they said
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
