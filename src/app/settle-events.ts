/**
 * Before a commit: events are never edited, so what would change one is settled first.
 *
 * What a formatter did to a committed event is undone, in the index and in the worktree. Any other change
 * of one stops the commit, as does a new one that is torn: restored, or redacted, is for a person to say.
 * Looks only at files that differ from HEAD, and at nothing where all of those are untracked.
 */

import type { ByteName } from '../core/git-objects.ts'
import { nameToText, textToName } from '../core/git-objects.ts'
import { isEventFileName } from '../core/ledger/event.ts'
import { decodeEventText } from '../core/ledger/event-bytes.ts'
import { integrityOf, isEmptied } from '../core/ledger/event-integrity.ts'
import { saysTheSame } from '../core/ledger/formatter-equal.ts'
import { oneLine } from '../core/ledger/one-line.ts'
import type { Settings } from '../core/settings.ts'
import { shellWord } from '../core/shell-word.ts'
import { acceptedIn } from './acceptances.ts'
import { fileOfPath, ledgerPaths, placeOfWorktree, sortPending } from './ledger-places.ts'
import type { FileChange, GitObject, RepositoryPort } from './ports.ts'
import type { Say } from './refresh-current.ts'

export interface SettledEvents {
  /** False: the commit must not be made; what to do is said. */
  readonly mayCommit: boolean
  /** Committed texts came back into the index: there may be nothing left to commit. */
  readonly isIndexChanged: boolean
}

export async function settleEvents(
  repository: RepositoryPort,
  settings: Settings,
  say: Say,
): Promise<SettledEvents> {
  const { mended, changed } = await changedEvents(repository, settings)
  for (const one of mended) await bringBack(repository, one)
  if (mended.length > 0) say(reformatted(mended))
  await sayDamagedPending(repository, settings, say)
  const stopping = await notAccepted(repository, settings, changed)
  if (stopping.length > 0) say(await stopped(repository, stopping))
  return {
    mayCommit: stopping.length === 0,
    isIndexChanged: mended.some(({ where }) => where === 'index'),
  }
}

export interface ChangedEvent {
  readonly path: ByteName
  readonly file: string
  readonly where: 'index' | 'worktree'
  /** The worktree's file is what the index has. */
  readonly isInStep: boolean
  /** What HEAD has; undefined for a new file. */
  readonly committed: GitObject | undefined
  /** Blob in the index. */
  readonly oid: string
  /** The text that stands there. */
  readonly now: Uint8Array
}

/** Tracked events that differ from HEAD: by a formatter's work alone, or in what they say. */
export async function changedEvents(
  repository: RepositoryPort,
  settings: Settings,
): Promise<{ readonly mended: ChangedEvent[]; readonly changed: ChangedEvent[] }> {
  const folder = ledgerPaths(settings.root).events
  const depth = textToName(folder).length + 1
  const found = (await repository.index.changes(folder)).filter(
    ({ path }) => !path.slice(depth).includes('/') && isEventFileName(fileOfPath(path)),
  )
  const mended: ChangedEvent[] = []
  const changed: ChangedEvent[] = []
  if (found.length === 0) return { mended, changed }
  for (const one of await withTexts(repository, found)) {
    const verdict = await judge(one)
    if (verdict === 'formatted') mended.push(one)
    if (verdict === 'changed') changed.push(one)
  }
  return { mended, changed }
}

async function withTexts(
  repository: RepositoryPort,
  found: readonly FileChange[],
): Promise<ChangedEvent[]> {
  const { index, objects, worktree } = repository
  const entries = await index.list(...found.map(({ path }) => nameToText(path)))
  const oids = new Map(entries.map(({ path, oid }) => [path, oid]))
  const read = found.map(async ({ path, isStaged, isEdited }): Promise<ChangedEvent[]> => {
    const oid = oids.get(path)
    if (oid === undefined) return []
    const committed = await objects.find(`HEAD:${nameToText(path)}`)
    const common = { path, file: fileOfPath(path), committed, oid, isInStep: !isEdited }
    const staged = isStaged ? (await objects.read(oid))?.content : undefined
    // Of a file that no commit has, only what is staged matters: nothing else goes into one.
    const isLooked = isEdited && committed !== undefined
    const edited = isLooked ? await worktree.readBytesName(path) : undefined
    return [
      ...(staged === undefined ? [] : [{ ...common, where: 'index' as const, now: staged }]),
      ...(edited === undefined ? [] : [{ ...common, where: 'worktree' as const, now: edited }]),
    ]
  })
  return (await Promise.all(read)).flat()
}

/** `fine`: may be committed as it is. */
async function judge(one: ChangedEvent): Promise<'fine' | 'formatted' | 'changed'> {
  const { file, committed, now } = one
  const integrity = integrityOf(file, now)
  if (integrity === 'intact') return 'fine' // also where it mends what HEAD has
  if (committed === undefined) return integrity === 'damaged' ? 'changed' : 'fine'
  const isOurs = integrityOf(file, committed.content) !== 'foreign'
  const [was, is] = [decodeEventText(committed.content), decodeEventText(now)]
  if (was === is) return 'fine'
  if (saysTheSame(was, is)) return isOurs || (await isSound(file, was)) ? 'formatted' : 'fine'
  return isOurs ? 'changed' : 'fine'
}

/** Somebody else's event may be reformatted to mend it; one without a fault needs no mending. */
async function isSound(file: string, text: string): Promise<boolean> {
  const { parseEvent } = await import('../core/ledger/parse-event.ts')
  const { event, problems, warnings } = parseEvent({ file, id: '', text })
  return event !== undefined && problems.length + warnings.length === 0
}

/** Puts HEAD's text back where it was changed; a worktree's file that is gone stays so. */
async function bringBack(
  { index, worktree }: RepositoryPort,
  { path, committed, where, isInStep }: ChangedEvent,
): Promise<void> {
  if (committed === undefined) return
  const name = nameToText(path)
  if (where === 'index') await index.put(name, committed.oid)
  const isHere = (await worktree.readBytesName(path)) !== undefined
  if (isHere && (where === 'worktree' || isInStep)) await worktree.write(name, committed.content)
  await index.refresh(name)
}

/** Without what another branch that is being merged or picked holds so, and what was accepted. */
async function notAccepted(
  repository: RepositoryPort,
  settings: Settings,
  changed: readonly ChangedEvent[],
): Promise<ChangedEvent[]> {
  const own: ChangedEvent[] = []
  for (const one of changed) {
    if (one.where === 'worktree' || !(await isIncoming(repository, one))) own.push(one)
  }
  if (own.length === 0) return own
  const place = await placeOfWorktree(repository, settings.root)
  const isAccepted = await acceptedIn(repository.objects, place)
  return own.filter((one) => one.where === 'worktree' || !isAccepted(one))
}

async function isIncoming(
  { objects }: RepositoryPort,
  { path, oid }: ChangedEvent,
): Promise<boolean> {
  const heads = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD^']
  const blobs = await Promise.all(heads.map((head) => objects.find(`${head}:${nameToText(path)}`)))
  return blobs.some((blob) => blob?.oid === oid)
}

async function sayDamagedPending(
  repository: RepositoryPort,
  { root }: Settings,
  say: Say,
): Promise<void> {
  const { damaged } = await sortPending(repository, root)
  for (const path of damaged) {
    const bytes = (await repository.worktree.readBytesName(path)) ?? new Uint8Array()
    const ways = await waysOut(repository, path, bytes)
    say(
      `ledger-git: ${shown(path)} ${wrongness(bytes)} and stays out of the commit\n  next: ${ways.join('\n    or: ')}`,
    )
  }
}

/** Commands that help with an event that is in no commit and is damaged; the first mends it. */
export async function waysOut(
  { copies }: RepositoryPort,
  path: ByteName,
  bytes: Uint8Array,
): Promise<string[]> {
  const file = fileOfPath(path)
  const command = (name: string) => `ledger-git event ${name} ${shellWord(file)}`
  const hasCopy = (await copies.list()).some((copy) => copy.path === nameToText(path))
  return [
    ...(hasCopy ? [command('restore')] : []),
    // A redaction of it as it stands is a new event, with a name of its own.
    ...((await isReadable(file, decodeEventText(bytes))) ? [command('redact')] : []),
    command('drop'),
  ]
}

async function isReadable(file: string, text: string): Promise<boolean> {
  const { parseEvent } = await import('../core/ledger/parse-event.ts')
  const { event, problems } = parseEvent({ file, id: '', text })
  return event !== undefined && problems.length === 0
}

function wrongness(bytes: Uint8Array): string {
  return isEmptied(bytes) ? 'is empty' : 'is torn or was edited'
}

function reformatted(mended: readonly ChangedEvent[]): string {
  const what = mended.length === 1 ? '1 event was' : `${mended.length} events were`
  return `ledger-git: ${what} only reformatted; the committed text is back: ${names(mended)}`
}

async function stopped(
  repository: RepositoryPort,
  changed: readonly ChangedEvent[],
): Promise<string> {
  const lines = changed.slice(0, MOST_NAMED).map(({ path, committed, now }) => {
    const isTold = committed === undefined || isEmptied(now)
    return `  ${shown(path)} ${isTold ? wrongness(now) : 'does not say any more what was committed'}`
  })
  const more = changed.length - MOST_NAMED
  if (more > 0) lines.push(`  and ${more} more`)
  const [first] = changed
  const ways = first === undefined ? [] : await waysOn(repository, first)
  return [
    'ledger-git: commit stopped: events are never edited',
    ...lines,
    `  next: ${ways.join('\n    or: ')}`,
  ].join('\n')
}

async function waysOn(repository: RepositoryPort, one: ChangedEvent): Promise<string[]> {
  if (one.committed === undefined) return waysOut(repository, one.path, one.now)
  const file = shellWord(one.file)
  return [
    `ledger-git event restore ${file} (brings its text back)`,
    `ledger-git event redact ${file} (for a secret: the new text stays, the old one goes)`,
  ]
}

const MOST_NAMED = 5

function names(events: readonly ChangedEvent[]): string {
  const some = events.slice(0, MOST_NAMED).map(({ file }) => oneLine(file, ''))
  return some.join(', ') + (events.length > MOST_NAMED ? ', …' : '')
}

function shown(path: ByteName): string {
  return oneLine(nameToText(path), '')
}
