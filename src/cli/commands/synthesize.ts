import { basename } from 'node:path'
import { commitArchive, count, stageArchive } from '../../app/archive/archive.ts'
import { isEmptyPlan, planArchive } from '../../app/archive/plan.ts'
import { checkLedger } from '../../app/ledger/check.ts'
import { commitLedger, requireSafe } from '../../app/commit/commit-ledger.ts'
import { findHandKept, KEPT_BY_HAND } from '../../app/ledger/unmanaged-ledger.ts'
import { ledgerPaths } from '../../app/ledger/ledger-sources.ts'
import type { EventSet } from '../../app/ledger/ledger-tree.ts'
import { ledgerOf, readEvents } from '../../app/ledger/ledger-tree.ts'
import { renderEvents } from '../../app/ledger/render-tree.ts'
import type { Synthesis } from '../../app/commit/synthesize.ts'
import { previewWorktree, writeSynthesis } from '../../app/commit/synthesize.ts'
import { readLedger } from '../../app/ledger/view-ledger.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { diffLedgers } from '../../core/ledger/diff-ledgers.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import type { Arguments, Command } from '../command.ts'
import { flag, text } from '../command.ts'
import type { CliContext, OpenRepository } from '../context.ts'
import { openWorktree, printJson } from '../context.ts'
import { changeLine } from '../format.ts'
import { showHandKept } from './show.ts'

export const synthesize: Command = {
  name: 'synthesize',
  hot: true,
  writes: true,
  describe: "Rewrite current.md from the worktree's events",
  examples: [
    ['ledger-git synthesize', 'shows what will change and asks (on a terminal)'],
    ['ledger-git synthesize --no-confirm --commit', 'without a question, and commit the ledger'],
    ['ledger-git synthesize --check', 'CI: exit 1 when stale'],
    ['ledger-git synthesize --stdout --input "notes/*.md"', 'print the ledger of other files'],
  ],
  options: (yargs) =>
    yargs
      .option('stdout', { type: 'boolean', describe: 'print it, write nothing' })
      .option('check', {
        type: 'boolean',
        describe: 'write nothing; exit 1 when current.md is stale',
      })
      .option('archive', { type: 'boolean', describe: 'first move old events out of events/' })
      .option('commit', { type: 'boolean', describe: "then make a commit of the ledger's own" })
      .option('confirm', { type: 'boolean', default: true, describe: 'ask first, on a terminal' })
      .option('input', {
        type: 'string',
        describe: 'glob of the event files to read instead of events/',
      })
      .conflicts({ stdout: ['check', 'commit', 'archive'], check: ['commit', 'archive'] }),
  run: async (args, context) => {
    const open = await openWorktree(context)
    const { repository, settings } = open
    if (flag(args, 'check')) {
      const report = await checkLedger(repository, settings, { kind: 'worktree' })
      if (flag(args, 'json')) printJson(context, { fresh: report.fresh, checked: report.checked })
      else
        context.stderr(
          report.fresh
            ? 'current.md is fresh\n'
            : 'current.md is stale\nnext: ledger-git synthesize\n',
        )
      return report.fresh ? 0 : 1
    }
    const input = text(args, 'input')
    const handKept = input === undefined && (await findHandKept(repository, settings.root))
    if (handKept && !handKept.hasPending && !handKept.isMigrated) {
      return leaveHandKept(open, args, context)
    }
    const path = ledgerPaths(settings.root).current
    const lock = `${settings.root}/.synth.lock`
    const say = (message: string) => context.stderr(`${message}\n`)
    if (flag(args, 'archive'))
      await context.withLock(lock, () => archiveOld(open, context, args, say))
    const synthesis = await readSynthesis(input, open, context, !flag(args, 'stdout'))
    if (flag(args, 'stdout')) {
      if (flag(args, 'json')) printSynthesis(context, synthesis)
      else context.stdout(synthesis.text)
      return 0
    }
    if (
      flag(args, 'confirm') &&
      context.canAsk &&
      !(await confirm(synthesis, path, open, context))
    ) {
      throw new LedgerError('CONFIRMATION_NEEDED', 'nothing was written')
    }
    const commit = await context.withLock(lock, async () => {
      await writeSynthesis(repository, settings.root, synthesis, say)
      if (!flag(args, 'commit')) return undefined
      return (await commitLedger(repository, settings, 'ledger: synthesize', say)).commit
    })
    if (flag(args, 'json')) printSynthesis(context, synthesis)
    else {
      const { eventCount, skipped } = synthesis.ledger
      const rest =
        skipped.length === 0 ? '' : `, ${skipped.length} unreadable (ledger-git event validate)`
      context.stderr(`${path}: ${eventCount} ${eventCount === 1 ? 'event' : 'events'}${rest}\n`)
      if (commit !== undefined) context.stderr(`committed ${commit.slice(0, 9)}\n`)
    }
    return 0
  },
}

/** A hand-kept `current.md` and no event: there is nothing to write in its place. */
async function leaveHandKept(
  { repository, settings }: OpenRepository,
  args: Arguments,
  context: CliContext,
): Promise<number> {
  const { set, handKept = '' } = await readLedger(repository, settings, undefined)
  if (flag(args, 'stdout') || flag(args, 'json')) return showHandKept(handKept, set, args, context)
  context.stderr(`${KEPT_BY_HAND}\n`)
  return 0
}

/** Stages or commits what has grown old, unless the answer is no. */
async function archiveOld(
  { repository, settings }: OpenRepository,
  context: CliContext,
  args: Arguments,
  say: (message: string) => void,
): Promise<void> {
  const retention = settings.archiveAfterMillis
  const plan = await planArchive(repository, settings, context.clock.now(), retention)
  if (isEmptyPlan(plan)) return
  const question = `${count(plan.archived.length, 'event')} to archive: go on?`
  if (flag(args, 'commit')) await requireSafe(repository, settings)
  if (flag(args, 'confirm') && context.canAsk && !(await context.ask(question))) return
  const carryOut = flag(args, 'commit') ? commitArchive : stageArchive
  await carryOut(repository, settings, plan, say)
  say(`${count(plan.archived.length, 'event')} archived`)
}

async function readSynthesis(
  input: string | undefined,
  { repository, settings }: OpenRepository,
  context: CliContext,
  write: boolean,
): Promise<Synthesis> {
  const synthesis = await previewWorktree(repository, settings.root, { write })
  if (input === undefined) return synthesis
  const files = await context.expandGlob(input)
  if (files.length === 0) {
    throw new LedgerError(
      'EVENT_NOT_FOUND',
      `no file matches ${input}`,
      'quote the glob: --input "events/*.md"',
    )
  }
  const entries = await Promise.all(
    files.map(async (file): Promise<TreeEntry> => {
      const oid = await repository.writeBlob(context.files.read(file) ?? '')
      return { mode: '100644', name: textToName(basename(file)), oid }
    }),
  )
  // Stored, like the worktree's own: a merge that meets this text finds what it names.
  const tree = await repository.writeTree(entries)
  const set: EventSet = await readEvents(repository.objects, tree, entries)
  return { ...synthesis, set, ledger: ledgerOf(set), text: renderEvents(set) }
}

async function confirm(
  synthesis: Synthesis,
  path: string,
  { repository, settings }: OpenRepository,
  context: CliContext,
): Promise<boolean> {
  if (synthesis.before === synthesis.text) return true
  const report = await checkLedger(repository, settings, { kind: 'worktree' })
  const changes = diffLedgers(foldLedger([]), synthesis.ledger)
  context.stderr(
    `${path} is ${report.fresh ? 'fresh, but older than these events' : 'stale'}; it will say:\n`,
  )
  for (const change of changes.slice(0, 40)) context.stderr(`  ${changeLine(change)}\n`)
  if (changes.length > 40) context.stderr(`  … and ${changes.length - 40} more\n`)
  return context.ask('Write it?')
}

function printSynthesis(context: CliContext, { ledger, set }: Synthesis): void {
  printJson(context, ledgerToJson(ledger, set.eventsTree))
}
