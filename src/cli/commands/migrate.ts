import { relative } from 'node:path'
import type { SecretPlace } from '../../app/secrets/find-secrets.ts'
import type { Migration, MigrationPlan } from '../../app/migrate/migrate.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { withoutControls } from '../../core/text/strip-control-chars.ts'
import type { Arguments, Command } from '../command.ts'
import { filled, flag, texts } from '../command.ts'
import type { CliContext, OpenRepository } from '../context.ts'
import { openWorktree, printJson } from '../context.ts'

export const migrate: Command = {
  name: 'migrate',
  words: '[files..]',
  writes: true,
  describe: 'Turn hand-kept ledgers and handoffs into events; the files stay as they are',
  examples: [
    ['ledger-git migrate --dry-run', 'what would become an event'],
    ['ledger-git migrate --commit', "and commit the events in a commit of the ledger's own"],
    ['ledger-git migrate docs/handoff.md', 'a file that is not looked for by itself'],
  ],
  options: (yargs) =>
    yargs
      .option('dry-run', { type: 'boolean', describe: 'list the events, write none' })
      .option('commit', { type: 'boolean', describe: "then make a commit of the ledger's own" })
      .option('agent', { type: 'string', describe: 'who wrote them, where a file does not say' })
      .option('confirm', { type: 'boolean', default: true, describe: 'ask first, on a terminal' })
      .conflicts('dry-run', 'commit'),
  run: async (args, context) => {
    const open = await openWorktree(context)
    const { planMigration, writeMigration } = await import('../../app/migrate/migrate.ts')
    const sources = await context.migrationSources()
    const plan = await planMigration(
      { repository: open.repository, root: open.settings.root, sources },
      { files: readFiles(args, open.top, context), agent: filled(args, 'agent') },
    )
    const isDry = flag(args, 'dry-run')
    const news = plan.migrations.filter(({ isNew }) => isNew)
    const secrets = await secretsOf(news, context)
    // Before the question: it is then not too late.
    for (const [source, places] of secrets) context.stderr(secretLine(source, places))
    if (!isDry && news.length > 0) {
      await confirm(args, news, context)
      await writeMigration(open.repository, plan)
    }
    // Said first: a commit that is not safe just now ends the command, and the events are there.
    if (!flag(args, 'json')) printPlan(plan, context)
    const commit = flag(args, 'commit') ? await commitEvents(open, news, context) : undefined
    if (flag(args, 'json')) printJson(context, toJson(plan, secrets, commit, isDry))
    else context.stderr(lastWord(news.length, commit, isDry))
    return plan.skipped.length === 0 ? 0 : 1
  },
}

function readFiles(args: Arguments, top: string, context: CliContext): string[] | undefined {
  const files = texts(args, 'files')
  return files.length === 0 ? undefined : files.map((file) => relative(top, context.absolute(file)))
}

async function confirm(args: Arguments, news: readonly Migration[], context: CliContext) {
  if (!flag(args, 'confirm') || !context.canAsk) return
  context.stderr(`${news.map(({ source }) => `  ${source}\n`).join('')}`)
  const count = news.length === 1 ? 'one event' : `${news.length} events`
  if (await context.ask(`Write ${count}?`)) return
  throw new LedgerError('CONFIRMATION_NEEDED', 'nothing was written')
}

async function commitEvents(
  { repository, settings }: OpenRepository,
  news: readonly Migration[],
  context: CliContext,
): Promise<string | undefined> {
  const { commitLedger } = await import('../../app/commit/commit-ledger.ts')
  const say = (message: string) => context.stderr(`${message}\n`)
  const what = news.length === 1 ? ` ${news[0]?.source}` : ` ${news.length} files`
  const subject = `ledger: migrate${news.length === 0 ? '' : what}`
  return (await commitLedger(repository, settings, subject, say)).commit
}

/** A team's own text is taken over whole, line by line: what looks like a secret in it is only named. */
async function secretsOf(
  news: readonly Migration[],
  { secrets }: CliContext,
): Promise<Map<string, SecretPlace[]>> {
  const { findSecrets } = await import('../../app/secrets/find-secrets.ts')
  const found = new Map<string, SecretPlace[]>()
  for (const { source, sourceText } of news) {
    const places = await findSecrets(sourceText, secrets)
    if (places.length > 0) found.set(source, places)
  }
  return found
}

function secretLine(source: string, places: readonly SecretPlace[]): string {
  const where = places.map(({ line, kind }) => `line ${line} (${kind})`).join(', ')
  return `${withoutControls(source)}: seems to hold a secret, and its event would, too: ${where}\n`
}

function toJson(
  { migrations, skipped, inPlace }: MigrationPlan,
  secrets: ReadonlyMap<string, SecretPlace[]>,
  commit: string | undefined,
  isDry: boolean,
) {
  return {
    migrated: migrations.map(({ source, event, isNew }) => ({
      source,
      event,
      created: isNew,
      secrets: secrets.get(source) ?? [],
    })),
    skipped,
    in_place: inPlace,
    commit: commit ?? null,
    dry_run: isDry,
  }
}

function printPlan({ migrations, skipped, inPlace }: MigrationPlan, context: CliContext): void {
  const say = (line: string) => context.stderr(`${line}\n`)
  for (const { source, event, isNew } of migrations) {
    if (isNew) context.stdout(`${withoutControls(source)} → ${event}\n`)
    else say(`${source}: migrated already`)
  }
  for (const { source, problem } of skipped) say(`${source}: skipped: ${problem}`)
  if (inPlace.length > 0) say(`events of older schemas, read as they are: ${inPlace.length}`)
  if (migrations.length + skipped.length + inPlace.length === 0) say('nothing to migrate')
}

function lastWord(count: number, commit: string | undefined, isDry: boolean): string {
  if (commit !== undefined) return `committed ${commit.slice(0, 9)}\n`
  if (isDry) return 'nothing was written (--dry-run)\n'
  if (count === 0) return ''
  return 'next: ledger-git show, then ledger-git synthesize --commit (or your next commit)\n'
}
