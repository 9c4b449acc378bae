/**
 * `migrate`: hand-written ledgers become events, and handoffs become part of the ledger. The sources are left
 * unchanged.
 *
 * The events depend only on the sources and the repository's history, so everybody who migrates the same commit writes
 * the same bytes under the same names.
 */

import { isRendered } from '../../core/ledger/provenance.ts'
import { LEDGER_FOLDERS, soleLedgerOf } from '../../core/migrate/candidates.ts'
import { saysNothing } from '../../core/migrate/read-source.ts'
import type { SourceProblem } from '../../core/migrate/source-text.ts'
import { readSourceText, SOURCE_PROBLEMS } from '../../core/migrate/source-text.ts'
import { ledgerPaths } from '../ledger/ledger-sources.ts'
import { findSources } from './find-sources.ts'
import type { MigrateContext, MigrateRequest, ReadSource } from './migrate-source.ts'
import { readOne } from './migrate-source.ts'
import type { MigratedEvents } from './migrated-events.ts'
import { readMigratedEvents } from './migrated-events.ts'
import type { RepositoryPort } from '../ports.ts'

export interface Migration {
  readonly source: string
  /** Path of the event, relative to the top. */
  readonly event: string
  readonly text: string
  readonly sourceText: string
  readonly isNew: boolean
  /** True for a handoff, which is left unchanged where it is. */
  readonly isAdopted: boolean
}

export interface MigrationPlan {
  readonly migrations: readonly Migration[]
  readonly skipped: readonly { readonly source: string; readonly problem: string }[]
  /** Events in older schemas, which are read where they are. */
  readonly inPlace: readonly string[]
  /** Files that look like ledgers or handoffs but do not become events unless somebody names them. */
  readonly left: readonly string[]
  /** The blob of a hand-kept `current.md` that was replaced and that no event holds. */
  readonly replaced: string | undefined
}

/** Reads and decides; writes nothing. */
export async function planMigration(
  given: MigrateContext,
  request: MigrateRequest,
): Promise<MigrationPlan> {
  const { root, sources } = given
  const known = await readMigratedEvents(given.repository, root)
  const soleLedger = (await hasSharedGoal(given, known))
    ? undefined
    : soleLedgerOf(await sources.list(LEDGER_FOLDERS))
  const context = { ...given, soleLedger }
  const { paths, left } = await findSources(context, request)
  const others = [...left]
  const migrations: Migration[] = []
  const skipped: { source: string; problem: string }[] = []
  for (const [path, found] of await readAll(paths, context, request, known)) {
    if ('problem' in found) {
      if (found.problem === 'no-ledger') others.push(path)
      if (!isSilent(found.problem, request)) {
        const where = found.line === undefined ? '' : `line ${found.line}: `
        skipped.push({ source: path, problem: where + SOURCE_PROBLEMS[found.problem] })
      }
    } else migrations.push(place(path, found, known, root))
  }
  const inPlace = known.older.map((file) => `${ledgerPaths(root).events}/${file}`)
  const news = others.filter((path) => !isMigrated(path, context, known)).toSorted()
  const replaced = request.files === undefined ? await findReplaced(context, known) : undefined
  return { migrations, skipped, inPlace, left: news, replaced }
}

/** True if the repository's goal is stated by `<root>/current.md`, as people keep it or kept it before. */
async function hasSharedGoal(context: MigrateContext, known: MigratedEvents): Promise<boolean> {
  const { current } = ledgerPaths(context.root)
  if (known.hasGoalOf(current)) return true
  const found = await readOne(current, context, { files: undefined, agent: undefined })
  return 'goalOf' in found && found.goalOf !== undefined
}

type Found = Awaited<ReturnType<typeof readOne>>

/**
 * Reads each source. If several streams state goals but nothing states the repository's, the goals stay in the notes:
 * otherwise the newest of them would become the goal of the whole repository.
 */
async function readAll(
  paths: readonly string[],
  context: MigrateContext,
  request: MigrateRequest,
  known: MigratedEvents,
): Promise<Map<string, Found>> {
  const read = new Map<string, Found>()
  for (const path of paths) read.set(path, await readOne(path, context, request))
  const goals = [...read.values()].flatMap((found) =>
    'goalOf' in found ? (found.goalOf ?? []) : [],
  )
  const streams = new Set(goals.map(({ stream }) => stream))
  if (known.hasGoal || streams.has(undefined) || streams.size < 2) return read
  for (const [path, found] of read) {
    const isOfStream = 'goalOf' in found && found.goalOf !== undefined
    const without = { ...request, isWithoutStreamGoals: true }
    if (isOfStream) read.set(path, await readOne(path, context, without))
  }
  return read
}

/**
 * The blob of a hand-kept `current.md` that a rendering replaced: the last text before the first rendering. Undefined
 * if there is none, or if an event holds that text.
 */
async function findReplaced(
  { repository, root, sources }: MigrateContext,
  known: MigratedEvents,
): Promise<string | undefined> {
  let last: { readonly blob: string; readonly text: string } | undefined
  for (const blob of await sources.blobsAt(ledgerPaths(root).current)) {
    const content = (await repository.objects.read(blob))?.content
    const source = content && readSourceText(content)
    if (source === undefined || 'problem' in source) continue
    const { text } = source
    if (!isRendered(text)) last = { blob, text }
    else return last && !saysNothing(last.text) && !known.holds(last.text) ? last.blob : undefined
  }
  return undefined
}

function place(
  source: string,
  { file, text, sourceText, adopted }: ReadSource,
  known: MigratedEvents,
  root: string,
): Migration {
  const isAdopted = adopted !== undefined
  const ofHandoff = isAdopted ? known.ofHandoff(source, adopted) : undefined
  const there = ofHandoff ?? known.find({ file, text })
  const event = `${ledgerPaths(root).events}/${there ?? file}`
  return { source, event, text, sourceText, isNew: there === undefined, isAdopted }
}

/** Writes the new events, which stay pending. */
export async function writeMigration(
  repository: RepositoryPort,
  { migrations }: MigrationPlan,
): Promise<void> {
  for (const { event, text, isNew } of migrations) {
    if (isNew) await repository.worktree.create(event, text)
  }
}

/** True if an event was already made of this version of the file. */
function isMigrated(path: string, { sources }: MigrateContext, known: MigratedEvents): boolean {
  const file = sources.read(path)
  const content = 'problem' in file ? file : readSourceText(file.bytes)
  return 'text' in content && known.isFrom(path, content.text)
}

/** True for problems of files that nobody named and nobody has to look at. */
function isSilent(problem: SourceProblem, { files }: MigrateRequest): boolean {
  if (problem === 'in-place') return true
  return files === undefined && (problem === 'rendered' || problem === 'no-ledger')
}
