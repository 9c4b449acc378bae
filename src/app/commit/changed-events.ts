/** Events that differ from what was committed or written: which, whether a formatter did it, and what is wrong. */

import { decodeEventText } from '../../core/event/event-bytes.ts'
import { integrityOf, isEmptied, originalText } from '../../core/event/event-integrity.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { saysTheSame } from '../../core/event/formatter-equal.ts'
import type { ParsedEvent } from '../../core/event/event-reader.ts'
import { textToName } from '../../core/git/objects.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { EventFile } from '../ledger/event-files.ts'
import { copyOf, readEventFiles } from '../ledger/event-files.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'

/** A tracked event that differs from HEAD. */
export interface ChangedEvent extends EventFile {
  readonly where: 'index' | 'worktree'
  /** The worktree's file equals the index's version. */
  readonly isInStep: boolean
  /** The changed text, from the index or the worktree. */
  readonly now: Uint8Array
}

export interface ChangedEvents {
  /** Changed only by a formatter. */
  readonly formatted: (ChangedEvent & { readonly original: Uint8Array })[]
  /** Changed in content. */
  readonly changed: ChangedEvent[]
  /** Events whose files may not be read; a commit uses the index's version. */
  readonly unreadable: EventFile[]
}

export async function changedEvents(
  repository: RepositoryPort,
  { root }: Settings,
): Promise<ChangedEvents> {
  const folder = ledgerPaths(root).events
  const depth = textToName(folder).length + 1
  const found = (await repository.index.changes(folder)).filter(
    ({ path }) => !path.slice(depth).includes('/') && isEventFileName(fileOfPath(path)),
  )
  const result: ChangedEvents = { formatted: [], changed: [], unreadable: [] }
  if (found.length === 0) return result
  const files = await readEventFiles(
    repository,
    found.map(({ path }) => path),
  )
  for (const [i, event] of files.entries()) {
    const { isStaged, isEdited } = found[i] ?? { isStaged: false, isEdited: false }
    const { committed, entry, staged, here } = event
    if (event.isUnreadable) result.unreadable.push(event)
    // For a file that no commit has, only the staged version matters: nothing else will be committed.
    const texts = { index: isStaged && staged, worktree: isEdited && committed && entry && here }
    for (const where of ['index', 'worktree'] as const) {
      const now = texts[where]
      if (!now) continue
      const one = { ...event, where, now, isInStep: !isEdited }
      const original = await judge(one)
      if (original === 'changed') result.changed.push(one)
      else if (original !== 'fine') result.formatted.push({ ...one, original })
    }
  }
  return result
}

/** `fine`: may be committed as it is. Bytes: only a formatter changed the event; these are the original bytes. */
async function judge(one: ChangedEvent): Promise<'fine' | 'changed' | Uint8Array> {
  const { file, committed, now } = one
  const integrity = integrityOf(file, now)
  if (integrity === 'intact') return 'fine' // even if HEAD's version is damaged: this fixes it
  if (committed === undefined) {
    return integrity === 'damaged' ? ((await originalOf(file, now)) ?? 'changed') : 'fine'
  }
  const [was, is] = [decodeEventText(committed.content), decodeEventText(now)]
  if (integrityOf(file, committed.content) !== 'foreign') {
    // Compare with the rename guard, too: decoding strips the guard only if nothing follows it.
    const isSame = saysTheSame(was, is) || saysTheSame(textOf(committed.content), textOf(now))
    return isSame ? committed.content : 'changed'
  }
  // Reformatting may fix an event that another tool wrote; a sound event needs no fix.
  if (was === is || !saysTheSame(was, is)) return 'fine'
  const { event, problems, warnings } = await parse(file, was)
  const isSound = event !== undefined && problems.length + warnings.length === 0
  return isSound ? committed.content : 'fine'
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

/** The bytes with which we wrote an event, if a formatter's changes can be undone. */
export async function originalOf(file: string, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const { event } = await parse(file, decodeEventText(bytes))
  const text = originalText(file, textOf(bytes), event)
  return text === undefined ? undefined : Buffer.from(text)
}

async function parse(file: string, text: string): Promise<ParsedEvent> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  return parseEvent({ file, id: '', text })
}

export interface Damage {
  readonly code: 'empty' | 'torn' | 'changed'
  /** Commands that help, best first. */
  readonly ways: readonly string[]
}

/** What is wrong with an event that differs from what was written. `now` is its present text. */
export async function damageOf(
  repository: RepositoryPort,
  event: EventFile,
  now: Uint8Array,
): Promise<Damage> {
  const { file, committed } = event
  const command = (name: string) => `ledger-git event ${name} ${shellWord(file)}`
  const isEmpty = isEmptied(now)
  if (committed !== undefined) {
    return { code: isEmpty ? 'empty' : 'changed', ways: [command('restore'), command('redact')] }
  }
  const { event: read, problems } = await parse(file, decodeEventText(now))
  const hasText =
    copyOf(repository, event) !== undefined || (await originalOf(file, now)) !== undefined
  const ways = [
    ...(hasText ? [command('restore')] : []),
    // Redacting the event in its present form makes a new event with a new name.
    ...(read !== undefined && problems.length === 0 ? [command('redact')] : []),
    command('drop'),
  ]
  return { code: isEmpty ? 'empty' : 'torn', ways }
}

export const DAMAGE = {
  empty: 'is empty',
  torn: 'is torn or was edited',
  changed: 'no longer says what was committed',
}
