/** Reads a hand-written file and decides which event it becomes. */

import { readContextHandoff } from '../../core/context/handoff-document.ts'
import type { Instant } from '../../core/event/instant.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import {
  handoffInPath,
  isInEvents,
  needsLedger,
  sessionInPath,
  streamInPath,
} from '../../core/migrate/candidates.ts'
import type { MigratedEvent } from '../../core/migrate/migrated-event.ts'
import { migratedEvent, movedEvent } from '../../core/migrate/migrated-event.ts'
import type { Source } from '../../core/migrate/read-source.ts'
import { hasLedgerSection, readSource, saysNothing } from '../../core/migrate/read-source.ts'
import type { SourceProblem } from '../../core/migrate/source-text.ts'
import { conflictLine, readSourceText } from '../../core/migrate/source-text.ts'
import { sourceTime } from '../../core/migrate/metadata.ts'
import { hashObject } from '../../core/git/objects.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import type { RepositoryPort } from '../ports.ts'

export interface SourceFile {
  readonly bytes: Uint8Array
  readonly mtimeMillis: number
}

/** What `migrate` needs from outside besides the repository. */
export interface MigrationSources {
  /**
   * Tracked files, and untracked files that are not ignored, at or below the paths (all if none are given); relative to
   * the top.
   */
  list(paths: readonly string[]): Promise<string[]>
  /** A regular file of at most 16 MiB; links are not followed. */
  read(
    path: string,
  ):
    | SourceFile
    | { problem: 'absent' | 'folder' | 'link' | 'not-a-file' | 'too-large' | 'unreadable' }
  /** Unix milliseconds of the last commit in HEAD's history that touched the path. */
  committedAt(path: string): Promise<number | undefined>
  /** Unix milliseconds of the first commit of any branch that has this blob at the path. */
  firstHeldAt(path: string, blob: string): Promise<number | undefined>
  /** The blobs of the files that HEAD's history has at the path, oldest first. */
  blobsAt(path: string): Promise<string[]>
}

export interface MigrateContext {
  readonly repository: RepositoryPort
  readonly root: string
  readonly sources: MigrationSources
  /** The only ledger in a repository that keeps ledgers by stream; it describes the repository as a whole. */
  readonly soleLedger?: string | undefined
}

export interface MigrateRequest {
  /** Paths relative to the top; undefined to look where hand-written state is known to be. */
  readonly files: readonly string[] | undefined
  /** Include files elsewhere that look like a ledger or a handoff. */
  readonly isAll?: boolean
  readonly agent: string | undefined
  /** Goals of single streams stay in the notes, because none of them is the repository's goal. */
  readonly isWithoutStreamGoals?: boolean
  /** Turn whole handoffs into events, like other files; otherwise they are adopted where they are. */
  readonly asEvents?: boolean
}

export interface ReadSource extends MigratedEvent {
  /** Whose goal the source states: a stream's or the repository's. Undefined if it states none. */
  readonly goalOf?: { readonly stream: string | undefined } | undefined
  /** The name of the adopted handoff, if any. */
  readonly adopted: string | undefined
  /** The text from which the event was made. */
  readonly sourceText: string
}

type Problem = { readonly problem: SourceProblem; readonly line?: number }

export async function readOne(
  path: string,
  context: MigrateContext,
  request: MigrateRequest,
): Promise<ReadSource | Problem> {
  if (path.startsWith('../') || path.startsWith('/')) return { problem: 'outside' }
  const file = context.sources.read(path)
  if ('problem' in file) return file
  const content = readSourceText(file.bytes)
  if ('problem' in content) return content
  const { text } = content
  const source = sourceIn(text, path, context, request)
  if ('problem' in source) return source
  if (source.kind === 'event') {
    return { adopted: undefined, sourceText: text, ...movedEvent(text) }
  }
  const ts =
    sourceTime(source.read.draft.times, path) ??
    instantFromMillis((await committedAt(path, file.bytes, context)) ?? file.mtimeMillis)
  return eventOf(source, { path, text, ts }, context, request)
}

/** Equal in every clone. A `current.md` that was replaced and later restored is as old as its first version. */
async function committedAt(
  path: string,
  bytes: Uint8Array,
  { sources, repository, root }: MigrateContext,
): Promise<number | undefined> {
  const blob = hashObject('blob', bytes, repository.place.format)
  const { current } = ledgerPaths(root)
  return (await sources.committedAt(path)) ?? sources.firstHeldAt(current, blob)
}

type Readable = Exclude<Source, { kind: 'none' }>

/** What kind of source the text is, or a problem if no event can or need be made of it. */
function sourceIn(
  text: string,
  path: string,
  { root }: MigrateContext,
  { files, isAll }: MigrateRequest,
): Readable | Problem {
  const isLedger = isLedgerOf(root, path)
  if (isLedger && saysNothing(text)) return { problem: 'rendered' }
  if (files === undefined && isOwnDocument(text)) return { problem: 'rendered' }
  const isNamed = files !== undefined || isAll === true
  if (!isNamed && needsLedger(path, root) && !hasLedgerSection(text)) {
    return { problem: 'no-ledger' }
  }
  const source = readSource(path, text, isLedger)
  if (source.kind === 'none') return { problem: source.problem }
  const line = conflictLine(text)
  if (line !== undefined) return { problem: 'conflict', line }
  return source.kind === 'event' && isInEvents(path, root) ? { problem: 'in-place' } : source
}

/** True for a document of a context checkpoint: its event already says everything. */
export function isOwnDocument(text: string): boolean {
  return Boolean(readContextHandoff(text)?.created)
}

function isLedgerOf(root: string, path: string): boolean {
  return path === ledgerPaths(root).current
}

/** Adds the author, the stream, and whose goal it states. */
function eventOf(
  source: Exclude<Readable, { kind: 'event' }>,
  { path, text, ts }: { readonly path: string; readonly text: string; readonly ts: Instant },
  { root, soleLedger }: MigrateContext,
  { agent, asEvents, isWithoutStreamGoals }: MigrateRequest,
): ReadSource | Problem {
  const { draft } = source.read
  const isAdopted = asEvents !== true && hasLedgerSection(text)
  const adopted = isAdopted ? handoffInPath(path, root) : undefined
  const named = draft.stream?.texts[0]
  const session = draft.text('session') ?? sessionInPath(path, root) ?? named
  const isSole = path === soleLedger
  const stream = adopted ?? (isSole ? undefined : streamInPath(path, root, named))
  const isHandoff =
    source.kind === 'yaml' || (!isLedgerOf(root, path) && /(?:^|\/)handoffs\//.test(path))
  const goalOf = draft.text('goal') === undefined ? undefined : { stream }
  if (isWithoutStreamGoals === true && stream !== undefined) draft.drop('goal')
  const event = migratedEvent(source.read, {
    path,
    text,
    // An event without a branch has a stream only as a handoff.
    type: isHandoff || stream !== undefined ? 'handoff' : 'note',
    ts,
    agent: draft.text('agent') ?? agent ?? session ?? 'migrate',
    session: adopted === undefined ? session : undefined,
    stream,
    isAdopted: adopted !== undefined,
  })
  return { goalOf, adopted, sourceText: text, ...event }
}
