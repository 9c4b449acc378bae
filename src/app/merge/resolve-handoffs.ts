/**
 * After the fact: handoffs that a merge left in conflict are merged again from the index, by sections. What
 * a person has settled in the worktree already, or begun to settle, is left alone.
 */

import { hasConflictMarkers } from '../../core/ledger/provenance.ts'
import type { ByteName } from '../../core/git/objects.ts'
import { isRegularFile, nameToText, textToName } from '../../core/git/objects.ts'
import { handoffName } from '../ledger/ledger-sources.ts'
import type { IndexEntry, LedgerContext, RepositoryPort } from '../ports.ts'
import { mergeHandoffFiles } from './merge-handoff.ts'

export interface ResolvedHandoff {
  /** From the top of the repository. */
  readonly path: string
  /**
   * `merged`: staged. `conflict`: both sides changed the same text, between markers in the file. `edited`:
   * somebody settled it, and it is not staged. `one-sided`: deleted or renamed on a side, or no file there.
   */
  readonly state: 'merged' | 'conflict' | 'edited' | 'one-sided'
}

/** Every unmerged handoff, in the order of their paths. */
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
  // Git takes neither bytes that are no text as an argument, nor line breaks in a list.
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
  // Who has begun to settle a conflict goes on.
  if (merged.isConflict && !isOfGit) return 'conflict'
  if (there !== oid) await worktree.checkOut(path, oid)
  if (merged.isConflict) return 'conflict'
  if (!isOfGit) {
    say(`ledger-git: ${path} was merged by sections; the text before is kept: git show ${there}`)
  }
  await index.change([{ path: name, after: { mode: ours.mode, oid } }])
  await index.refresh(path)
  return 'merged'
}

/** Without an entry there is no common ancestor: an empty one. */
async function read(
  { objects }: RepositoryPort,
  entry: IndexEntry | undefined,
): Promise<Uint8Array | undefined> {
  return entry === undefined ? new Uint8Array() : (await objects.read(entry.oid))?.content
}
