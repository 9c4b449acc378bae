/** Use cases that read the ledger: which events, joined how, from which place. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { compareEvents } from '../../core/event/event.ts'
import type { DecidedTwice } from '../../core/ledger/decided-twice.ts'
import { decidedTwice } from '../../core/ledger/decided-twice.ts'
import { diffLedgers } from '../../core/ledger/diff-ledgers.ts'
import type { AttributedChange } from '../../core/ledger/diff-ledgers.ts'
import type { Instant } from '../../core/event/instant.ts'
import { itemKey } from '../../core/event/item-text.ts'
import type { Ledger } from '../../core/ledger/join.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { joinEvents } from '../../core/event/event-set.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { findUnmanaged, unmanagedOf } from './unmanaged-ledger.ts'
import type { LedgerPlace } from './ledger-sources.ts'
import { eventsOf, ledgerPaths, placeOfRevision, placeOfWorktree } from './ledger-sources.ts'
import type { EventSet } from './ledger-tree.ts'
import { ledgerOf, readEventsTree } from './ledger-tree.ts'
import type { HandoffChange } from './preview-handoffs.ts'
import { previewHandoffs } from './preview-handoffs.ts'
import type { RepositoryPort } from '../ports.ts'
import type { CommitInfo } from '../ports/history.ts'
import { settingsOfRevision } from './read-settings.ts'

export interface EventFilter {
  readonly agent?: string | undefined
  readonly branch?: string | undefined
  readonly stream?: string | undefined
  readonly type?: string | undefined
  readonly since?: Instant | undefined
}

/** Events of the worktree (pending ones included) or of a revision. */
export async function readLedgerEvents(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
): Promise<EventSet> {
  return eventsOf(repository.objects, await placeToRead(repository, settings, revision))
}

/** Like `readLedgerEvents`, plus the text of a `current.md` that people keep by hand while there is no event. */
export async function readLedger(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
): Promise<{ readonly set: EventSet; readonly unmanaged: string | undefined }> {
  const place = await placeToRead(repository, settings, revision)
  const set = await eventsOf(repository.objects, place)
  if (revision !== undefined || repository.place.top === undefined) {
    return { set, unmanaged: await unmanagedOf(repository.objects, place) }
  }
  const found = await findUnmanaged(repository, settings.root)
  return { set, unmanaged: found?.hasPending === false ? found.text : undefined }
}

/** The worktree with its pending events, or a revision. */
export async function placeToRead(
  repository: RepositoryPort,
  settings: Settings,
  revision: string | undefined,
): Promise<LedgerPlace> {
  if (revision === undefined && repository.place.top !== undefined) {
    return placeOfWorktree(repository, settings.root)
  }
  const oid = await repository.history.resolve(revision ?? 'HEAD')
  const { root } = await settingsOfRevision(repository, oid)
  return placeOfRevision(repository, oid, root)
}

/** The ledger of the matching events; a retraction by any event still applies. */
export function filterLedger(set: EventSet, filter: EventFilter): Ledger {
  if (Object.values(filter).every((value) => value === undefined)) return ledgerOf(set)
  // `joinEvents` returns the events that a snapshot stands for; the snapshot itself says nothing.
  const said = joinEvents(set.events).filter(({ covers }) => covers.length === 0)
  return foldLedger(said.filter((event) => matches(event, filter)))
}

/** Matching events in event order, retracted events included. */
export function filterEvents(events: readonly LedgerEvent[], filter: EventFilter): LedgerEvent[] {
  return events.filter((event) => matches(event, filter)).sort(compareEvents)
}

export function matches(event: LedgerEvent, { since, ...said }: EventFilter): boolean {
  const names = ['agent', 'branch', 'stream', 'type'] as const
  const isSaid = names.every((name) => said[name] === undefined || event[name] === said[name])
  return isSaid && (since === undefined || event.ts >= since)
}

export async function diffRevisions(
  repository: RepositoryPort,
  settings: Settings,
  before: string,
  after: string | undefined,
): Promise<AttributedChange[]> {
  const from = await readLedgerEvents(repository, settings, before)
  const to = await readLedgerEvents(repository, settings, after)
  return diffLedgers(ledgerOf(from), ledgerOf(to))
}

/** What merging `branch` into HEAD would make of the ledger. Index, worktree and refs are left unchanged. */
export async function previewMerge(
  repository: RepositoryPort,
  settings: Settings,
  branch: string,
): Promise<{
  set: EventSet
  changes: AttributedChange[]
  twice: DecidedTwice[]
  handoffs: HandoffChange[]
}> {
  const [ours, theirs] = await Promise.all([
    repository.history.resolve('HEAD'),
    repository.history.resolve(branch),
  ])
  const answer = await repository.history.mergeTrees(ours, theirs, { ledger: false })
  const { tree, said } = answer
  if (tree === undefined) {
    const next = 'fix what git reports; the preview needs git 2.38 or later'
    throw new LedgerError('GIT_FAILED', `git merge-tree failed: ${said}`, next)
  }
  const handoffs = await previewHandoffs(repository, settings.root, ours, answer)
  const merged = await repository.objects.find(`${tree}:${ledgerPaths(settings.root).events}`)
  const before = await readLedgerEvents(repository, settings, ours)
  const set = merged === undefined ? before : await readEventsTree(repository.objects, merged.oid)
  const twice = await decidedOnSides(repository, settings, [ours, theirs])
  return { set, changes: diffLedgers(ledgerOf(before), ledgerOf(set)), twice, handoffs }
}

export interface Reason {
  readonly event: LedgerEvent
  readonly what: string
  /** What the event says still holds: nobody has overridden, answered or removed it since. */
  readonly holds: boolean
  /** The commit that brought the event in; undefined while it is pending. */
  readonly commit: CommitInfo | undefined
}

/** Every event that set the decision, or asked or resolved the question, oldest first. */
export async function explainKey(
  repository: RepositoryPort,
  settings: Settings,
  key: string,
): Promise<Reason[]> {
  const set = await readLedgerEvents(repository, settings, undefined)
  const { events } = ledgerPaths(settings.root)
  const joined = joinEvents(set.events)
  const state = stateOfKey(joined, ledgerOf(set), key.trim())
  const found = joined.flatMap((event) =>
    mentions(event, key, state).map((mention) => ({ event, ...mention })),
  )
  if (found.length === 0) return []
  const additions = await repository.history.additions(events)
  return found.map(({ event, what, holds }) => ({
    event,
    what,
    holds,
    commit: additions.get(`${events}/${event.file}`),
  }))
}

/** The current state of a key, and of questions. */
interface KeyState {
  /** The id of the event whose decision holds, or of the event that removed the decision. */
  readonly holder: string | undefined
  isOpen(question: string): boolean
}

function stateOfKey(joined: readonly LedgerEvent[], ledger: Ledger, key: string): KeyState {
  const held = ledger.decisions.find(({ value }) => value.key === key)?.by.id
  const last = joined.findLast(({ decisions }) => decisions.some((one) => one.key === key))
  const open = new Set(ledger.openQuestions.map(({ value }) => itemKey(value)))
  return { holder: held ?? last?.id, isOpen: (question) => open.has(itemKey(question)) }
}

function mentions(event: LedgerEvent, key: string, { holder, isOpen }: KeyState) {
  const wanted = itemKey(key)
  const words = wordsOf(key)
  const isMatch = (text: string) => itemKey(text).includes(wanted) || wordsOf(text).includes(words)
  return [
    ...event.decisions
      .filter((decision) => decision.key === key.trim())
      .map(({ value, text }) => ({
        what: value === null ? 'decision removed' : `decided: ${text}`,
        holds: event.id === holder,
      })),
    ...event.openQuestions
      .filter(isMatch)
      .map((text) => ({ what: `asked: ${text}`, holds: isOpen(text) })),
    ...event.resolvedQuestions
      .filter(isMatch)
      .map((text) => ({ what: `resolved: ${text}`, holds: !isOpen(text) })),
  ]
}

/** Whole words only: `HEAD` is not part of "ahead". */
function wordsOf(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return ` ${words.join(' ')} `
}

/** What both sides of the merge in progress decided; empty if there is no merge or a side cannot be read. */
export async function decidedInMerge(
  repository: RepositoryPort,
  settings: Settings,
): Promise<DecidedTwice[]> {
  try {
    if (!(await repository.history.isMerging())) return []
    return await decidedOnSides(repository, settings, ['HEAD', 'MERGE_HEAD'])
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return []
  }
}

/** Reads the folder that is being merged, whatever settings either side has. */
async function decidedOnSides(
  repository: RepositoryPort,
  { root }: Settings,
  sides: readonly [ours: string, theirs: string],
): Promise<DecidedTwice[]> {
  const read = async (side: string) =>
    (await eventsOf(repository.objects, await placeOfRevision(repository, side, root))).events
  return decidedTwice(await read(sides[0]), await read(sides[1]))
}
