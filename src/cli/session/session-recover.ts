/** `session recover`: brings back pending events and session files that are gone from a worktree. */

import type {
  FoundChain,
  RecoveredEvent,
  RecoveredFile,
  RecoverReport,
} from '../../app/shadow/recover.ts'
import { recover } from '../../app/shadow/recover.ts'
import { findSession } from '../../app/session/view-sessions.ts'
import type { Command } from '../command/command.ts'
import { flag, nonEmpty } from '../command/command.ts'
import type { CliContext } from '../command/context.ts'
import { count, safePath, safeText } from '../command/format.ts'

export const sessionRecover: Command = {
  name: 'recover',
  words: { '[id]': 'id of a session, or its beginning (default: all sessions)' },
  writes: true,
  describe: 'Bring back pending events and session files that are gone from a worktree',
  examples: [
    ['ledger-git session recover --dry-run', 'what there is to bring back'],
    ['ledger-git session recover 0379 --files ../rescued', "one session's events and files"],
  ],
  options: {
    'dry-run': flag('show what would be done, do nothing'),
    files: nonEmpty("folder for the sessions' files"),
  },
  run: async (input) => {
    const { context } = input
    await input.openWorktree()
    const work = await context.sessions()
    const word = input.text('id')
    const folder = input.text('files')
    const filesInto = folder && input.absolute(folder)
    const session = word === undefined ? undefined : await findSession(work, word)
    const dryRun = input.flag('dry-run')
    const report = await recover(work, { session, dryRun, filesInto })
    if (input.json) input.print(reportJson(report, dryRun), [])
    else print(context, report, { dryRun, filesInto })
    for (const ref of report.unreadable) {
      context.stderr(
        `ledger-git: ${safeText(ref)} cannot be read: it is damaged, or written by a newer release\n` +
          '  next: ledger-git doctor; if that finds nothing, git fsck, or update ledger-git\n',
      )
    }
    return isWhole(report) ? 0 : 1
  },
}

/** False if something was found that could not be brought back. */
function isWhole({ events, files, unreadable }: RecoverReport): boolean {
  const isMissing = ({ status }: { readonly status: string }) => status === 'missing'
  return unreadable.length === 0 && !events.some(isMissing) && !files.some(isMissing)
}

function reportJson({ chains, events, files, unreadable }: RecoverReport, dryRun: boolean) {
  return {
    dry_run: dryRun,
    shadow: chains.map(({ ref, record, isWorktreeThere, sessions, leftOut }) => ({
      ref,
      base: record.base,
      worktree: { path: record.path, name: record.worktree },
      worktree_exists: isWorktreeThere,
      sessions: sessions.map((one) => ({
        session: one.id,
        files: one.files,
        deleted: one.deleted,
        left_out: one.leftOut.map(({ path, reason }) => ({ path, reason })),
      })),
      left_out: leftOut.map(({ path, reason }) => ({ path, reason })),
    })),
    events: events.map(({ name, status, path, ref }) => ({ name, status, path, ref })),
    files,
    unreadable,
  }
}

interface RecoverOptions {
  readonly dryRun: boolean
  readonly filesInto: string | undefined
}

function print(context: CliContext, report: RecoverReport, options: RecoverOptions): void {
  const { chains, events, files } = report
  const reported = events.filter(({ status }) => status !== 'present' && status !== 'committed')
  for (const event of reported) context.stdout(`${eventText(event, options)}\n`)
  for (const file of files) context.stdout(`${fileText(file, options)}\n`)
  for (const chain of chains)
    for (const line of chainLines(chain, options)) context.stderr(`${line}\n`)
  const safe = events.length - reported.length
  if (safe > 0) context.stderr(`${count(safe, 'event')} already in a worktree or a commit\n`)
  if (reported.length + files.length > 0) return
  const hasFiles = chains.some(({ sessions }) => sessions.some((one) => one.files.length > 0))
  if (report.unreadable.length > 0) return
  context.stderr(hasFiles ? 'no events to bring back\n' : 'nothing to bring back\n')
}

function eventText({ name, status, path }: RecoveredEvent, { dryRun }: RecoverOptions): string {
  if (status === 'restored')
    return `${dryRun ? 'would restore' : 'restored'} ${safePath(path ?? name)}`
  return `left ${safePath(path ?? name)}: ${status === 'missing' ? GONE : 'another file has the name'}`
}

function fileText(
  { session, path, status }: RecoveredFile,
  { dryRun, filesInto }: RecoverOptions,
): string {
  const where = safePath(`${filesInto ?? '.'}/${session}/${path}`)
  if (status === 'restored') return `${dryRun ? 'would restore' : 'restored'} ${where}`
  return `left ${where}: ${LEFT[status]}`
}

const GONE = 'the repository has lost its content (git fsck)'
const LEFT = {
  submodule: 'a submodule is not stored',
  differs: 'something already exists there',
  missing: GONE,
}

/** The lines for standard error: whose data it is, and what was not stored. */
function chainLines(
  { record, isWorktreeThere, sessions, leftOut }: FoundChain,
  options: RecoverOptions,
): string[] {
  const gone = isWorktreeThere ? '' : ' (gone)'
  const hint = options.filesInto === undefined ? '; --files FOLDER brings them back' : ''
  return [
    ...sessions.flatMap(({ id, files, deleted, leftOut: named }) => [
      `session ${safeText(id)} in ${safePath(record.path)}${gone}: ` +
        `${count(files.length, 'file')}, ${deleted.length} deleted${files.length === 0 ? '' : hint}`,
      ...named.map(notStored),
    ]),
    ...leftOut.map(notStored),
  ]
}

function notStored({ path, reason }: { readonly path: string; readonly reason: string }): string {
  return `  not stored: ${safePath(path)} (${safeText(reason)})`
}
