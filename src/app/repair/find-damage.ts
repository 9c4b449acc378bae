/** Finds every event of the worktree that is not as it was written, and the command that helps. */

import type { DamageCode } from '../../core/event/problem.ts'
import { nameToText } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { lostEvents } from '../commit/event-copies.ts'
import type { ChangedEvents } from '../commit/changed-events.ts'
import { changedEvents, damageOf } from '../commit/changed-events.ts'
import { readEventFiles } from '../ledger/event-files.ts'
import type { WorktreePlace } from '../ledger/ledger-sources.ts'
import { placeOfRevision } from '../ledger/ledger-sources.ts'
import { sortPending } from '../ledger/pending-events.ts'
import { acceptedIn, damagedEvents } from '../ledger/verify-events.ts'
import type { RepositoryPort } from '../ports.ts'

export interface DamagedEvent {
  readonly file: string
  readonly code: DamageCode
  /** The command that helps. */
  readonly next: string
}

/** `changes`: the changed events, if the caller already has them. */
export async function findDamage(
  repository: RepositoryPort,
  settings: Settings,
  worktree: WorktreePlace,
  changes?: ChangedEvents,
): Promise<DamagedEvent[]> {
  const { unreadable = [] } = worktree
  const { damaged } = await sortPending(repository, worktree.untracked)
  const torn = damaged.length === 0 ? [] : await readEventFiles(repository, damaged)
  // Changes in the index or the worktree; the next commit would undo a formatter's changes by itself.
  const { formatted, changed, ...others } = changes ?? (await changedEvents(repository, settings))
  const pending = torn.map((event) => ({ ...event, now: event.here ?? new Uint8Array() }))
  const found = new Map<string, DamagedEvent>()
  for (const { now, ...event } of [...pending, ...formatted, ...changed]) {
    const { code, ways } = await damageOf(repository, event, now)
    found.set(event.file, { file: event.file, code, next: ways[0] ?? '' })
  }
  const rewritten = await rewrittenEvents(repository, settings, worktree)
  const left = rewritten.filter((file) => !found.has(file))
  const unreadablePaths = [
    ...unreadable.map(nameToText),
    ...others.unreadable.map(({ path }) => path),
  ]
  // To delete an event on purpose, there is `event drop`.
  const lost = (await lostEvents(repository)).map((path) => path.replace(/^.*\//, ''))
  return [
    ...found.values(),
    ...left.map((file) => damage(file, 'rewritten', 'accept')),
    ...unreadablePaths.map(unreadableEvent),
    ...lost.map((file) => damage(file, 'missing', 'restore')),
  ]
}

/** `path` is relative to the top, where the command is run. */
function unreadableEvent(path: string): DamagedEvent {
  const file = path.replace(/^.*\//, '')
  return { file, code: 'unreadable', next: `chmod u+r ${shellWord(path)}` }
}

function damage(file: string, code: DamageCode, command: string): DamagedEvent {
  return { file, code, next: `ledger-git event ${command} ${shellWord(file)}` }
}

/** One command line for all damaged events; `accept` writes a single event for all that it accepts. */
export function nextForAll(damage: readonly DamagedEvent[]): string {
  const isRewritten = ({ code }: DamagedEvent) => code === 'rewritten'
  const files = damage.filter(isRewritten).map(({ file }) => shellWord(file))
  const others = damage.filter((one) => !isRewritten(one)).map(({ next }) => next)
  const accept = files.length === 0 ? [] : [`ledger-git event accept ${files.join(' ')}`]
  return [...others, ...accept].join(' && ')
}

/** Damaged events of HEAD that are the same in the worktree and that nobody accepted. */
async function rewrittenEvents(
  repository: RepositoryPort,
  { root }: Settings,
  worktree: WorktreePlace,
): Promise<string[]> {
  const head = await placeOfRevision(repository, 'HEAD', root)
  const damaged = await damagedEvents(repository.objects, head)
  if (damaged.length === 0) return []
  const isAccepted = await acceptedIn(repository.objects, worktree)
  const here = new Map((worktree.entries ?? []).map(({ name, oid }) => [nameToText(name), oid]))
  return damaged
    .filter((one) => here.get(one.file) === one.oid && !isAccepted(one))
    .map(({ file }) => file)
}
