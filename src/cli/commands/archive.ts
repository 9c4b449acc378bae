import { commitArchive, count, stageArchive } from '../../app/archive/archive.ts'
import type { ArchivePlan } from '../../app/archive/plan.ts'
import { isEmptyPlan, planArchive } from '../../app/archive/plan.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { nameToText } from '../../core/git/objects.ts'
import { parseDuration, renderDuration } from '../../core/settings/settings.ts'
import type { Arguments, Command } from '../command.ts'
import { flag, text } from '../command.ts'
import type { CliContext, OpenRepository } from '../context.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const archive: Command = {
  name: 'archive',
  writes: true,
  sentences: ['retention'],
  describe: 'Move old events out of events/; what they decided stays, in a snapshot',
  examples: [
    ['ledger-git archive --commit', 'events older than archive.after (7d), as a commit'],
    ['ledger-git archive --retention 30d --dry-run', 'what would leave, nothing written'],
  ],
  options: (yargs) =>
    yargs
      .option('retention', { type: 'string', describe: 'keep events younger than this (7d)' })
      .option('dry-run', { type: 'boolean', describe: 'say what would leave, write nothing' })
      .option('commit', { type: 'boolean', describe: "make a commit of the ledger's own" })
      .option('confirm', { type: 'boolean', default: true, describe: 'ask first, on a terminal' })
      .conflicts('dry-run', 'commit'),
  run: async (args, context) => {
    const open = await openWorktree(context)
    const retention = readRetention(args) ?? open.settings.archiveAfterMillis
    const dryRun = flag(args, 'dry-run')
    // Nobody else should wait for an answer: the question comes before the lock.
    if (!dryRun && flag(args, 'confirm') && context.canAsk) await confirm(open, context, retention)
    const run = () => runArchive(open, context, retention, args)
    const { plan, commit } = await (dryRun
      ? run()
      : context.withLock(`${open.settings.root}/.synth.lock`, run))
    if (flag(args, 'json')) printJson(context, planJson(plan, commit))
    else context.stderr(summary(plan, retention, dryRun, commit))
    return 0
  },
}

async function confirm(
  { repository, settings }: OpenRepository,
  context: CliContext,
  retention: number,
): Promise<void> {
  const plan = await planArchive(repository, settings, context.clock.now(), retention)
  if (isEmptyPlan(plan) || (await context.ask(`${planWords(plan)}: go on?`))) return
  throw new LedgerError('CONFIRMATION_NEEDED', 'nothing was archived')
}

async function runArchive(
  { repository, settings }: OpenRepository,
  context: CliContext,
  retention: number,
  args: Arguments,
): Promise<{ plan: ArchivePlan; commit: string | undefined }> {
  const say = (message: string) => context.stderr(`${message}\n`)
  const plan = await planArchive(repository, settings, context.clock.now(), retention)
  for (const { file, reason } of plan.staying) {
    say(`ledger-git: ${safeText(file)} stays: ${reason}`)
  }
  if (flag(args, 'dry-run') || isEmptyPlan(plan)) return { plan, commit: undefined }
  if (flag(args, 'commit')) {
    return { plan, commit: await commitArchive(repository, settings, plan, say) }
  }
  await stageArchive(repository, settings, plan, say)
  return { plan, commit: undefined }
}

function readRetention(args: Arguments): number | undefined {
  const given = text(args, 'retention')
  if (given === undefined) return undefined
  const millis = parseDuration(given)
  if (millis !== undefined) return millis
  throw new LedgerError(
    'USAGE',
    `--retention ${given} is not a duration`,
    'for example --retention 7d',
  )
}

function summary(
  plan: ArchivePlan,
  retention: number,
  dryRun: boolean,
  commit: string | undefined,
): string {
  if (isEmptyPlan(plan)) {
    const other = plan.staying.length === 0 ? '' : 'other '
    return `no ${other}event is older than ${renderDuration(retention)}\n`
  }
  if (dryRun) return `${planWords(plan)}; nothing was written\n`
  if (commit !== undefined) return `${planWords(plan)}\ncommitted ${commit.slice(0, 9)}\n`
  return `${planWords(plan)}; staged\nnext: git commit\n`
}

function planWords({ archived, purged }: ArchivePlan): string {
  const old = purged.length === 0 ? '' : `, ${count(purged.length, 'archived file')} to delete`
  return `${count(archived.length, 'event')} to archive${old}`
}

function planJson(plan: ArchivePlan, commit: string | undefined) {
  return {
    archived: plan.archived.map(({ file, path }) => ({ file, path: nameToText(path) })),
    staying: plan.staying,
    snapshots: plan.snapshots,
    folded: plan.folded,
    purged: plan.purged.map(nameToText),
    commit: commit ?? null,
  }
}
