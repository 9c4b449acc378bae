/** Tracked events that differ from HEAD: by a formatter's work alone, or in what they say. */

import type { ByteName } from '../../core/git/objects.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import { isEventFileName } from '../../core/event/event.ts'
import { decodeEventText } from '../../core/event/event-bytes.ts'
import { integrityOf } from '../../core/event/event-integrity.ts'
import { saysTheSame } from '../../core/event/formatter-equal.ts'
import { originalText } from '../../core/event/original-text.ts'
import type { ParsedEvent } from '../../core/event/event-reader.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { fileOfPath, ledgerPaths } from '../ledger/ledger-sources.ts'
import type { FileChange, GitObject, RepositoryPort } from '../ports.ts'

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

/** One whose own text is known. */
export interface FormattedEvent extends ChangedEvent {
  readonly original: Uint8Array
}

export interface ChangedEvents {
  readonly formatted: FormattedEvent[]
  readonly changed: ChangedEvent[]
}

export async function changedEvents(
  repository: RepositoryPort,
  settings: Settings,
): Promise<ChangedEvents> {
  const folder = ledgerPaths(settings.root).events
  const depth = textToName(folder).length + 1
  const found = (await repository.index.changes(folder)).filter(
    ({ path }) => !path.slice(depth).includes('/') && isEventFileName(fileOfPath(path)),
  )
  const formatted: FormattedEvent[] = []
  const changed: ChangedEvent[] = []
  if (found.length === 0) return { formatted, changed }
  for (const one of await withTexts(repository, found)) {
    const original = await judge(one)
    if (original === 'changed') changed.push(one)
    else if (original !== 'fine') formatted.push({ ...one, original })
  }
  return { formatted, changed }
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

/** `fine`: may be committed as it is. The bytes that a formatter changed, where it was one. */
async function judge(one: ChangedEvent): Promise<'fine' | 'changed' | Uint8Array> {
  const { file, committed, now } = one
  const integrity = integrityOf(file, now)
  if (integrity === 'intact') return 'fine' // also where it mends what HEAD has
  if (committed === undefined) {
    return integrity === 'damaged' ? ((await originalOf(file, now)) ?? 'changed') : 'fine'
  }
  const [was, is] = [decodeEventText(committed.content), decodeEventText(now)]
  if (integrityOf(file, committed.content) !== 'foreign') {
    // With the guard line, too: where something follows it, it is not left out of the text.
    const isSame = saysTheSame(was, is) || saysTheSame(textOf(committed.content), textOf(now))
    return isSame ? committed.content : 'changed'
  }
  // Somebody else's event may be reformatted to mend it; one without a fault needs no mending.
  if (was === is || !saysTheSame(was, is)) return 'fine'
  const { event, problems, warnings } = await parse(file, was)
  const isSound = event !== undefined && problems.length + warnings.length === 0
  return isSound ? committed.content : 'fine'
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

/** The bytes that an event of ours was written with, where a formatter's work can be undone. */
export async function originalOf(file: string, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const { event } = await parse(file, decodeEventText(bytes))
  const text = originalText(file, Buffer.from(bytes).toString('utf8'), event)
  return text === undefined ? undefined : Buffer.from(text)
}

/** True where a text is an event with nothing that does not count. */
export async function isReadable(file: string, bytes: Uint8Array): Promise<boolean> {
  const { event, problems } = await parse(file, decodeEventText(bytes))
  return event !== undefined && problems.length === 0
}

async function parse(file: string, text: string): Promise<ParsedEvent> {
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  return parseEvent({ file, id: '', text })
}
