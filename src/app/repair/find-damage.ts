/** Every event of the worktree that is not what it was written as, and the command that helps. */

import type { DamageCode } from '../../core/event/problem.ts'
import { nameToText } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { lostEvents } from '../commit/commit-marks.ts'
import { changedEvents, damageOf } from '../commit/settle-events.ts'
import { readEventFiles } from '../ledger/event-files.ts'
import { placeOfRevision, placeOfWorktree, sortPending } from '../ledger/ledger-sources.ts'
import { acceptedIn, damagedEvents } from '../ledger/verify-events.ts'
import type { RepositoryPort } from '../ports.ts'

export interface DamagedEvent {
  readonly file: string
  readonly code: DamageCode
  /** The command that helps. */
  readonly next: string
}

export async function findDamage(
  repository: RepositoryPort,
  settings: Settings,
): Promise<DamagedEvent[]> {
  const found: DamagedEvent[] = []
  const { damaged } = await sortPending(repository, settings.root)
  for (const event of damaged.length === 0 ? [] : await readEventFiles(repository, damaged)) {
    const { code, ways } = await damageOf(repository, event, event.here ?? new Uint8Array())
    found.push({ file: event.file, code, next: ways[0] ?? '' })
  }
  // In the index or the worktree; what a formatter did the next commit would undo by itself.
  const { formatted, changed } = await changedEvents(repository, settings)
  const byFile = new Map<string, DamagedEvent>()
  for (const event of [...formatted, ...changed]) {
    const { code, ways } = await damageOf(repository, event, event.now)
    byFile.set(event.file, { file: event.file, code, next: ways[0] ?? '' })
  }
  found.push(...byFile.values())
  const known = new Set(found.map(({ file }) => file))
  const rewritten = (await rewrittenEvents(repository, settings)).filter((file) => !known.has(file))
  found.push(...rewritten.map((file) => damage(file, 'rewritten', 'accept')))
  // Whoever deleted one on purpose says `event drop`.
  const lost = (await lostEvents(repository)).map((path) => path.replace(/^.*\//, ''))
  return [...found, ...lost.map((file) => damage(file, 'missing', 'restore'))]
}

function damage(file: string, code: DamageCode, command: string): DamagedEvent {
  return { file, code, next: `ledger-git event ${command} ${shellWord(file)}` }
}

/** Those of HEAD that the worktree still has so, and that nobody accepted. */
async function rewrittenEvents(repository: RepositoryPort, { root }: Settings): Promise<string[]> {
  const head = await placeOfRevision(repository, 'HEAD', root)
  const damaged = await damagedEvents(repository.objects, head)
  if (damaged.length === 0) return []
  const worktree = await placeOfWorktree(repository, root)
  const isAccepted = await acceptedIn(repository.objects, worktree)
  const here = new Map((worktree.entries ?? []).map(({ name, oid }) => [nameToText(name), oid]))
  return damaged
    .filter((one) => here.get(one.file) === one.oid && !isAccepted(one))
    .map(({ file }) => file)
}
