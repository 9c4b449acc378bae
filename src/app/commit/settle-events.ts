/**
 * Before a commit: events are never edited, so what would change one is settled first.
 *
 * What a formatter did to a committed event is undone, in the index and in the worktree. Any other change
 * of one stops the commit, as does a new one that is torn: restored, or redacted, is for a person to say.
 * Looks only at files that differ from HEAD, and at nothing where all of those are untracked.
 */

import type { ByteName } from '../../core/git/objects.ts'
import { nameToText } from '../../core/git/objects.ts'
import { isEmptied } from '../../core/event/event-integrity.ts'
import { oneLine } from '../../core/ledger/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { acceptedIn } from '../ledger/acceptances.ts'
import type { ChangedEvent, FormattedEvent } from './changed-events.ts'
import { changedEvents, isReadable, originalOf } from './changed-events.ts'
import { fileOfPath, placeOfWorktree, sortPending } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'
import type { Say } from './refresh-current.ts'

export interface SettledEvents {
  /** False: the commit must not be made; what to do is said. */
  readonly mayCommit: boolean
  /** Texts came back into the index: there may be nothing left to commit. */
  readonly isIndexChanged: boolean
  /** Pending events that a commit may take in. */
  readonly pending: readonly ByteName[]
}

export async function settleEvents(
  repository: RepositoryPort,
  settings: Settings,
  say: Say,
): Promise<SettledEvents> {
  const { formatted, changed } = await changedEvents(repository, settings)
  for (const one of formatted) await bringBack(repository, one)
  const { whole, damaged } = await sortPending(repository, settings.root)
  const mended = await mendPending(repository, damaged)
  const files = [...formatted.map(({ file }) => file), ...mended.map(fileOfPath)]
  if (files.length > 0) say(reformatted([...new Set(files)]))
  for (const path of damaged) {
    if (!mended.includes(path)) say(await leftOut(repository, path))
  }
  const stopping = await notAccepted(repository, settings, changed)
  if (stopping.length > 0) say(await stopped(repository, stopping))
  return {
    mayCommit: stopping.length === 0,
    isIndexChanged: formatted.some(({ where }) => where === 'index'),
    pending: [...whole, ...mended],
  }
}

/** Undoes what a formatter did to pending events, and names those. */
async function mendPending(
  { worktree }: RepositoryPort,
  damaged: readonly ByteName[],
): Promise<ByteName[]> {
  const mended: ByteName[] = []
  for (const path of damaged) {
    const bytes = await worktree.readBytesName(path)
    const original = bytes && (await originalOf(fileOfPath(path), bytes))
    if (original === undefined) continue
    await worktree.write(nameToText(path), original)
    mended.push(path)
  }
  return mended
}

/** Puts an event's own text back where it was changed; a worktree's file that is gone stays so. */
async function bringBack(
  repository: RepositoryPort,
  { path, original, where, isInStep }: FormattedEvent,
): Promise<void> {
  const { index, worktree } = repository
  const name = nameToText(path)
  if (where === 'index') await index.put(name, await repository.writeBlob(original))
  const isHere = (await worktree.readBytesName(path)) !== undefined
  if (isHere && (where === 'worktree' || isInStep)) await worktree.write(name, original)
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

async function leftOut(repository: RepositoryPort, path: ByteName): Promise<string> {
  const bytes = (await repository.worktree.readBytesName(path)) ?? new Uint8Array()
  const ways = (await waysOut(repository, path, bytes)).join('\n    or: ')
  const what = `${shown(path)} ${wrongness(bytes)} and stays out of the commit`
  return `ledger-git: ${what}\n  next: ${ways}`
}

/** Commands that help with an event that is in no commit and is damaged; the first mends it. */
export async function waysOut(
  { copies }: RepositoryPort,
  path: ByteName,
  bytes: Uint8Array,
): Promise<string[]> {
  const file = fileOfPath(path)
  const command = (name: string) => `ledger-git event ${name} ${shellWord(file)}`
  const hasText =
    (await copies.list()).some((copy) => copy.path === nameToText(path)) ||
    (await originalOf(file, bytes)) !== undefined
  return [
    ...(hasText ? [command('restore')] : []),
    // A redaction of it as it stands is a new event, with a name of its own.
    ...((await isReadable(file, bytes)) ? [command('redact')] : []),
    command('drop'),
  ]
}

function wrongness(bytes: Uint8Array): string {
  return isEmptied(bytes) ? 'is empty' : 'is torn or was edited'
}

function reformatted(files: readonly string[]): string {
  const what = files.length === 1 ? '1 event was' : `${files.length} events were`
  const some = files.slice(0, MOST_NAMED).map((file) => oneLine(file, ''))
  const names = some.join(', ') + (files.length > MOST_NAMED ? ', …' : '')
  return `ledger-git: ${what} only reformatted; the text as it was written is back: ${names}`
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
  if (one.committed === undefined) {
    const old = await oldName(repository, one)
    if (old === undefined) return waysOut(repository, one.path, one.now)
    const names = [one.path, old].map((path) => shellWord(nameToText(path))).join(' ')
    return [`git mv ${names} (it was only renamed, and its name says what it holds)`]
  }
  const file = shellWord(one.file)
  return [
    `ledger-git event restore ${file} (brings its text back)`,
    `ledger-git event redact ${file} (for a secret: the new text stays, the old one goes)`,
  ]
}

/** The name under which HEAD has the very same text. */
async function oldName(
  { history }: RepositoryPort,
  { path, oid }: ChangedEvent,
): Promise<ByteName | undefined> {
  const folder = nameToText(path.slice(0, path.lastIndexOf('/')))
  const committed = await history.blobsAt('HEAD', [`${folder}/`])
  return [...committed].find(([, blob]) => blob.oid === oid)?.[0]
}

const MOST_NAMED = 5

function shown(path: ByteName): string {
  return oneLine(nameToText(path), '')
}
