/** Turns a git tree of `events/` into the ledger: read the blobs, parse them, fold the events. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import {
  decodeTree,
  emptyTreeOid,
  hashObject,
  formatOfOid,
  isRegularFile,
  nameToText,
  TREE_MODE,
} from '../../core/git/objects.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { isEventFileName } from '../../core/event/event.ts'
import type { Ledger } from '../../core/ledger/join.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import type { ParsedEvent } from '../../core/event/event-reader.ts'
import { decodeEventText, MAX_EVENT_BYTES } from '../../core/event/event-bytes.ts'
import { readCanonicalEvent } from '../../core/event/canonical-event.ts'
import type { Problem, Warning } from '../../core/event/problem.ts'
import type { ObjectReader } from '../ports.ts'

/** Everything that the event files of one tree say, and the problems met while reading them. */
export interface EventSet {
  readonly eventsTree: string
  readonly events: readonly LedgerEvent[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
}

/** Blob contents that are not in the object database yet (pending events). */
export type Overlay = ReadonlyMap<string, Uint8Array>

/** Reads the entries of a tree; the empty tree need not exist as an object. */
export async function readTree(reader: ObjectReader, oid: string): Promise<TreeEntry[]> {
  return decodeTree(await readTreeContent(reader, oid), formatOfOid(oid))
}

export async function readTreeContent(reader: ObjectReader, oid: string): Promise<Uint8Array> {
  if (oid === emptyTreeOid(formatOfOid(oid))) return new Uint8Array()
  const object = await reader.read(oid)
  if (object?.type !== 'tree') throw missing(oid)
  return object.content
}

type BlobReader = Pick<ObjectReader, 'read' | 'prefetch'>

/** Reads and parses the events among the given entries of the tree `eventsTree`. */
export async function readEvents(
  reader: BlobReader,
  eventsTree: string,
  entries: readonly TreeEntry[],
  overlay: Overlay = new Map(),
): Promise<EventSet> {
  const named = entries.filter(
    (entry) => entry.mode !== TREE_MODE && isEventFileName(nameToText(entry.name)),
  )
  const files = named.filter(({ mode }) => isRegularFile(mode))
  const known = await parseFiles(reader, eventsTree, files, overlay)
  const parsed = named.map(({ mode, oid, name }) => {
    const file = nameToText(name)
    const found = isRegularFile(mode) ? known.get(oid) : skip('not-a-file', file)
    if (found === undefined) throw missing(oid)
    return underName(found, file)
  })
  return {
    eventsTree,
    events: parsed.flatMap(({ event }) => event ?? []),
    problems: parsed.flatMap(({ problems }) => problems),
    warnings: parsed.flatMap(({ warnings }) => warnings),
  }
}

/** Parsed events by blob id: each reader parses a blob only once. */
const parsedByReader = new WeakMap<BlobReader, Map<string, ParsedEvent>>()

async function parseFiles(
  reader: BlobReader,
  eventsTree: string,
  files: readonly TreeEntry[],
  overlay: Overlay,
): Promise<ReadonlyMap<string, ParsedEvent>> {
  const events = parsedByReader.get(reader) ?? new Map<string, ParsedEvent>()
  parsedByReader.set(reader, events)
  const unknown = files.filter(({ oid }) => !events.has(oid))
  if (unknown.length === 0) return events
  if (unknown.length > 1) await reader.prefetch?.(eventsTree)
  const found = new Map<string, ParsedEvent>()
  for (let at = 0; at < unknown.length; at += AT_ONCE) {
    await Promise.all(
      unknown.slice(at, at + AT_ONCE).map(async ({ oid, name }) => {
        found.set(oid, await readEvent(reader, oid, nameToText(name), overlay))
      }),
    )
  }
  // Bytes that a filter changed, or that somebody is writing right now, are used but not cached.
  const uncached = [...found].filter(([oid]) => !isStored(oid, overlay))
  for (const [oid] of uncached) found.delete(oid)
  for (const [oid, parsed] of found) events.set(oid, parsed)
  return uncached.length === 0 ? events : new Map([...events, ...uncached])
}

/** False if the worktree's bytes differ from the blob that they stand for. */
function isStored(oid: string, overlay: Overlay): boolean {
  const bytes = overlay.get(oid)
  return bytes === undefined || hashObject('blob', bytes, formatOfOid(oid)) === oid
}

/** Events read at once: enough to be fast, few enough to limit memory. */
const AT_ONCE = 1000

/** The parsed event under this file's name: files with different names may have the same content. */
function underName(parsed: ParsedEvent, file: string): ParsedEvent {
  const { event, problems, warnings } = parsed
  const isNamed = (event ?? problems[0])?.file === file
  if (isNamed) return parsed
  return {
    event: event && { ...event, file },
    problems: problems.map((problem) => ({ ...problem, file })),
    warnings: warnings.map((warning) => ({ ...warning, file })),
  }
}

async function readEvent(
  reader: BlobReader,
  oid: string,
  file: string,
  overlay: Overlay,
): Promise<ParsedEvent> {
  const bytes = overlay.get(oid) ?? (await reader.read(oid))?.content
  if (bytes === undefined) throw missing(oid)
  if (bytes.length > MAX_EVENT_BYTES) return skip('too-large', file)
  const source = { file, id: oid, text: decodeEventText(bytes) }
  const canonical = readCanonicalEvent(source)
  if (canonical !== undefined) return { event: canonical, problems: [], warnings: [] }
  // Load the YAML library only if an event is not in our own canonical form.
  const { parseEvent } = await import('../../core/event/parse-event.ts')
  return parseEvent(source)
}

/** Reads the events of a tree in the object database. */
export async function readEventsTree(reader: ObjectReader, eventsTree: string): Promise<EventSet> {
  return readEvents(reader, eventsTree, await readTree(reader, eventsTree))
}

export function ledgerOf(set: EventSet): Ledger {
  return foldLedger(set.events, set.problems)
}

export function skip(code: 'not-a-file' | 'too-large' | 'unreadable', file: string): ParsedEvent {
  const problem: Problem = { code, file, line: undefined, section: undefined }
  return { event: undefined, problems: [problem], warnings: [] }
}

function missing(oid: string): LedgerError {
  return new LedgerError('OBJECT_MISSING', `object ${oid} is missing`, 'git fetch, then git fsck')
}
