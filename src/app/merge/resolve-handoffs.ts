/**
 * After a merge: handoffs that were left in conflict are merged again from the index, section by section.
 * A handoff that somebody has resolved in the worktree, or has started to, is left alone.
 */

import { hasConflictMarkers } from '../../core/ledger/provenance.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import { handoffName } from '../ledger/ledger-sources.ts'
import type { IndexEntry, LedgerContext, RepositoryPort } from '../ports.ts'
import { mergeHandoffFiles } from './merge-handoff.ts'

export interface ResolvedHandoff {
  /** Relative to the top of the repository. */
  readonly path: string
  /**
   * - `merged`: merged and staged.
   * - `conflict`: both sides changed the same text; the file shows it between markers.
   * - `edited`: somebody resolved it, but it is not staged.
   * - `one-sided`: a side deleted or renamed it, or has something that is not a regular file.
   */
  readonly state: 'merged' | 'conflict' | 'edited' | 'one-sided'
}

/** Resolves every unmerged handoff, in path order. */
export async function resolveHandoffs(context: LedgerContext): Promise<ResolvedHandoff[]> {
  const { repository, settings } = context
  const stages = new Map<ByteName, IndexEntry[]>()
  for (const entry of await repository.index.list(settings.root)) {
    if (entry.stage === 0 || handoffName(entry.path, settings.root) === undefined) continue
    stages.set(entry.path, [...(stages.get(entry.path) ?? []), entry])
  }
  const resolved: ResolvedHandoff[] = []
  for (const [path, entries] of [...stages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    resolved.push({ path: nameToText(path), state: await resolveOne(context, path, entries) })
  }
  return resolved
}

async function resolveOne(
  context: LedgerContext,
  name: ByteName,
  entries: readonly IndexEntry[],
): Promise<ResolvedHandoff['state']> {
  const { repository, say } = context
  const { worktree, index } = repository
  const [base, ours, theirs] = [1, 2, 3].map((stage) =>
    entries.find((entry) => entry.stage === stage && isRegularFile(entry.mode)),
  )
  const path = nameToText(name)
  // Git accepts neither invalid UTF-8 as an argument nor line breaks in a list of paths.
  const isNameable = textToName(path) === name && !path.includes('\n')
  if (ours === undefined || theirs === undefined || !isNameable) return 'one-sided'
  const [b, o, t] = await Promise.all([base, ours, theirs].map((entry) => read(repository, entry)))
  if (b === undefined || o === undefined || t === undefined) return 'one-sided'
  const merged = mergeHandoffFiles({ base: b, ours: o, theirs: t }, repository.mergeText)
  const oid = await repository.writeBlob(merged.content)
  const file = await worktree.read(path)
  const [there] = file === undefined ? [] : await worktree.hashFiles([name], true)
  const isOfGit = there === undefined || [ours.oid, theirs.oid, oid].includes(there)
  const hasMarkers = file !== undefined && hasConflictMarkers(Buffer.from(file).toString('utf8'))
  if (!isOfGit && !hasMarkers) return 'edited'
  // Somebody has started to resolve the conflict: leave it to them.
  if (merged.isConflict && !isOfGit) return 'conflict'
  if (there !== oid) await worktree.checkOut(path, oid)
  if (merged.isConflict) return 'conflict'
  if (!isOfGit) {
    say(`ledger-git: ${path} was merged by sections; the previous text is kept: git show ${there}`)
  }
  await index.change([{ path: name, after: { mode: ours.mode, oid } }])
  await index.refresh(path)
  return 'merged'
}

/** A missing entry means that there is no common ancestor; an empty file takes its place. */
async function read(
  { objects }: RepositoryPort,
  entry: IndexEntry | undefined,
): Promise<Uint8Array | undefined> {
  return entry === undefined ? new Uint8Array() : (await objects.read(entry.oid))?.content
}
