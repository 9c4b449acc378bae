/**
 * Runs before a commit. Events are never edited, so any change to one is settled first.
 *
 * A formatter's changes to a committed event are undone in the index and in the worktree. Any other change to an
 * event stops the commit, as does a staged new event that is torn: a person must decide whether to restore or redact
 * it. Only files that differ from HEAD are examined; if all of them are untracked, none are.
 */

import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { readEventFiles } from '../ledger/event-files.ts'
import { fileOfPath, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { sortPending, untrackedEvents } from '../ledger/pending-events.ts'
import { acceptedIn } from '../ledger/verify-events.ts'
import type { LedgerContext, RepositoryPort } from '../ports.ts'
import type { ChangedEvent, ChangedEvents } from './changed-events.ts'
import { changedEvents, DAMAGE, damageOf, originalOf } from './changed-events.ts'

export async function settleEvents(context: LedgerContext) {
  const { repository, settings, say } = context
  const { formatted, changed } = await changedEvents(repository, settings)
  for (const one of formatted) await restoreOriginal(repository, one)
  const pending = await untrackedEvents(repository, settings.root)
  const { whole, damaged, unreadable } = await sortPending(repository, pending)
  const fixed: ByteName[] = []
  const leftOut = unreadable.map((path) =>
    leftOutMessage(nameToText(path), 'may not be read', ['check its permissions']),
  )
  for (const event of damaged.length === 0 ? [] : await readEventFiles(repository, damaged)) {
    const { file, path, here = new Uint8Array() } = event
    const original = await originalOf(file, here)
    if (original === undefined) {
      const { code, ways } = await damageOf(repository, event, here)
      leftOut.push(leftOutMessage(path, DAMAGE[code], ways))
    } else {
      await repository.worktree.write(path, original)
      fixed.push(textToName(path))
    }
  }
  const files = [...formatted.map(({ file }) => file), ...fixed.map(fileOfPath)]
  if (files.length > 0) say(reformattedMessage([...new Set(files)]))
  leftOut.forEach(say)
  const stopping = await notAccepted(context, changed)
  if (stopping.length > 0) say(await stoppedMessage(repository, stopping))
  return {
    /** False if the commit must not be made; the user has been told what to do. */
    mayCommit: stopping.length === 0,
    /** Original texts were restored in the index, so there may be nothing left to commit. */
    isIndexChanged: formatted.some(({ where }) => where === 'index'),
    /** Pending events that the commit may include. */
    pending: [...whole, ...fixed],
  }
}

function leftOutMessage(path: string, why: string, ways: readonly string[]): string {
  const what = `${oneLine(path, '')} ${why} and stays out of the commit`
  return `ledger-git: ${what}\n  next: ${ways.join('\n    or: ')}`
}

/** Restores an event's original text where it was changed; a file deleted from the worktree stays deleted. */
async function restoreOriginal(
  repository: RepositoryPort,
  { path, original, where, isInStep, here }: ChangedEvents['formatted'][number],
): Promise<void> {
  const { index, worktree } = repository
  if (where === 'index') {
    const after = { mode: '100644', oid: await repository.writeBlob(original) }
    await index.change([{ path: textToName(path), after }])
  }
  if (here !== undefined && (where === 'worktree' || isInStep)) await worktree.write(path, original)
  await index.refresh(path)
}

/** Leaves out changes that come from a branch or commit being merged, picked or reverted, and accepted changes. */
async function notAccepted(
  { repository, settings }: LedgerContext,
  changed: readonly ChangedEvent[],
): Promise<ChangedEvent[]> {
  const own: ChangedEvent[] = []
  for (const one of changed) {
    const heads = one.where === 'index' ? ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD^'] : []
    const blobs = heads.map((head) => repository.objects.find(`${head}:${one.path}`))
    const isIncoming = (await Promise.all(blobs)).some((blob) => blob?.oid === one.entry?.oid)
    if (!isIncoming) own.push(one)
  }
  if (own.length === 0) return own
  const place = await placeOfWorktree(repository, settings.root)
  const isAccepted = await acceptedIn(repository.objects, place)
  return own.filter(
    ({ file, where, entry }) =>
      where === 'worktree' || !isAccepted({ file, oid: entry?.oid ?? '' }),
  )
}

function reformattedMessage(files: readonly string[]): string {
  const what = files.length === 1 ? '1 event was' : `${files.length} events were`
  const some = files.slice(0, MAX_NAMED).map((file) => oneLine(file, ''))
  const names = some.join(', ') + (files.length > MAX_NAMED ? ', …' : '')
  return `ledger-git: ${what} only reformatted; the original text is restored: ${names}`
}

async function stoppedMessage(
  repository: RepositoryPort,
  changed: readonly ChangedEvent[],
): Promise<string> {
  const damages = changed.slice(0, MAX_NAMED).map((one) => damageOf(repository, one, one.now))
  const lines = (await Promise.all(damages)).map(
    ({ code }, i) => `  ${oneLine(changed[i]?.path ?? '', '')} ${DAMAGE[code]}`,
  )
  const more = changed.length - MAX_NAMED
  if (more > 0) lines.push(`  and ${more} more`)
  const ways = changed[0] === undefined ? [] : await waysFor(repository, changed[0])
  const next = `  next: ${ways.join('\n    or: ')}`
  return ['ledger-git: commit stopped: events are never edited', ...lines, next].join('\n')
}

async function waysFor(repository: RepositoryPort, one: ChangedEvent): Promise<readonly string[]> {
  const { ways } = await damageOf(repository, one, one.now)
  const [restore = '', redact = ''] = ways
  if (one.committed !== undefined) {
    return [
      `${restore} (restores its text)`,
      `${redact} (for a secret: keeps the new text and removes the old one)`,
    ]
  }
  // Does HEAD have the same text under another name?
  const folder = one.path.slice(0, one.path.lastIndexOf('/') + 1)
  const committed = await repository.history.blobsAt('HEAD', [folder])
  const old = [...committed].find(([, blob]) => blob.oid === one.entry?.oid)?.[0]
  if (old === undefined) return ways
  const names = [one.path, nameToText(old)].map(shellWord).join(' ')
  return [`git mv ${names} (it was only renamed, and the name must match the content)`]
}

const MAX_NAMED = 5
