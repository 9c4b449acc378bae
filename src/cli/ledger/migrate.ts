/** `migrate`: turns hand-written ledgers and handoffs into events. */

import { relative } from 'node:path'
import type { MigrationPlan } from '../../app/migrate/migrate.ts'
import type { SecretPlace } from '../../app/secrets/find-secrets.ts'
import { ledgerPaths } from '../../app/ledger/ledger-sources.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { intoTheLedger } from '../../core/ledger/kept-by-hand.ts'
import { groupByFolder } from '../../core/migrate/ledger-like.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command, Input } from '../command/command.ts'
import { CONFIRM, flag, value } from '../command/command.ts'
import { count, safePath } from '../command/format.ts'
import { writeContext } from '../command/shared-options.ts'

export const migrate: Command = {
  name: 'migrate',
  busyWith: 'reading hand-written files',
  words: {
    '[files..]': 'files or folders to migrate (default: the places where teams keep ledgers)',
  },
  writes: true,
  describe: 'Turn hand-written ledgers and handoffs into events; the files are left unchanged',
  examples: [
    ['ledger-git migrate --dry-run', 'what would become an event'],
    ['ledger-git migrate --commit', 'and make a separate commit for the events'],
    [
      'ledger-git migrate docs/handoff.md notes',
      'files and folders that are not searched by default',
    ],
  ],
  options: {
    'dry-run': { ...flag('list the events, write none'), conflicts: 'commit' },
    all: flag('also files elsewhere that look like ledgers or handoffs'),
    commit: flag('then make a separate commit for the ledger'),
    agent: value('who wrote the files, if a file does not say'),
    'as-events': flag('also turn whole handoffs into events, instead of adopting them in place'),
    confirm: CONFIRM,
  },
  run: async (input) => {
    const { context } = input
    const open = await input.openWorktree()
    const { repository, settings, top } = open
    const { planMigration, writeMigration } = await import('../../app/migrate/migrate.ts')
    const sources = await context.migrationSources()
    const words = input.texts('files').map((file) => relative(top, input.absolute(file)))
    if (words.length > 0 && input.flag('all')) {
      const next = 'name files and folders, or give --all'
      throw usage('--all takes no file names', next)
    }
    const plan = await planMigration(
      { repository, root: settings.root, sources },
      {
        files: words.length === 0 ? undefined : words,
        isAll: input.flag('all'),
        agent: input.filled('agent'),
        asEvents: input.flag('as-events'),
      },
    )
    const isDry = input.flag('dry-run')
    const news = plan.migrations.filter(({ isNew }) => isNew)
    const secrets = await findAllSecrets(news, input)
    if (!isDry && news.length > 0) {
      if (input.flag('confirm') && context.canAsk) {
        for (const { source } of news) input.say(`  ${safePath(source)}`)
        const question = `Write ${count(news.length, 'event')}?`
        if (!(await context.ask(question))) {
          throw new LedgerError('CONFIRMATION_NEEDED', 'nothing was written')
        }
      }
      await writeMigration(repository, plan)
    }
    // Printed first: if committing is not safe now, the command ends here, but the events exist.
    if (!input.json) printPlan(plan, ledgerPaths(settings.root).current, input)
    let commit: string | undefined
    if (input.flag('commit')) {
      const { commitLedger } = await import('../../app/commit/commit-ledger.ts')
      const what = news.length === 1 ? ` ${news[0]?.source}` : ` ${news.length} files`
      const subject = `migrate${news.length === 0 ? '' : what}`
      commit = await commitLedger(writeContext(open, input), subject)
    }
    if (input.json) {
      const migrated = plan.migrations.map(({ source, event, isNew, isAdopted }) => ({
        source,
        event,
        created: isNew,
        adopted: isAdopted,
        secrets: secrets.get(source) ?? [],
      }))
      const { skipped, inPlace, left } = plan
      input.print({ migrated, skipped, left, in_place: inPlace, commit, dry_run: isDry }, [])
    } else if (commit !== undefined) input.say(`committed ${commit.slice(0, 9)}`)
    else if (isDry) input.say('nothing was written (--dry-run)')
    else if (news.length > 0) input.say(NEXT)
    return plan.skipped.length === 0 ? 0 : 1
  },
}

const NEXT =
  'next: ledger-git show, then ledger-git synthesize --commit (or your next commit); ' +
  'ledger-git archive then takes what was done long ago out of current.md'

/** A team's own text is taken over in full, line by line: what looks like a secret in it is only reported. */
async function findAllSecrets(
  news: MigrationPlan['migrations'],
  input: Input,
): Promise<Map<string, SecretPlace[]>> {
  const { findSecrets } = await import('../../app/secrets/find-secrets.ts')
  const found = new Map<string, SecretPlace[]>()
  for (const { source, sourceText } of news) {
    const places = await findSecrets(sourceText, input.context.secrets)
    if (places.length === 0) continue
    found.set(source, places)
    const where = places.map(({ line, kind }) => `line ${line} (${kind})`).join(', ')
    const file = safePath(source)
    input.say(`${file}: seems to hold a secret, and its event would, too: ${where}`)
  }
  return found
}

/** `current`: the path of the ledger. */
function printPlan(plan: MigrationPlan, current: string, input: Input): void {
  const { migrations, skipped, inPlace, left, replaced } = plan
  for (const { source, event, isNew } of migrations) {
    if (isNew) input.print(undefined, `${safePath(source)} → ${event}`)
    else input.say(`${safePath(source)}: already migrated`)
  }
  const adopted = migrations.filter(({ isNew, isAdopted }) => isNew && isAdopted).length
  if (adopted > 0) {
    const what = count(adopted, 'handoff')
    input.say(`${what} adopted: the files stay, with an event each (or: migrate --as-events)`)
  }
  for (const { source, problem } of skipped) input.say(`${safePath(source)}: skipped: ${problem}`)
  if (inPlace.length > 0) input.say(`events of older schemas, read as they are: ${inPlace.length}`)
  if (replaced !== undefined) {
    input.say(`${current} was kept by hand, and no event holds its old text`)
    input.say(intoTheLedger(replaced))
  } else if (migrations.length + skipped.length + inPlace.length === 0) {
    input.say('nothing to migrate')
  }
  sayLeft(left, input)
}

/** The most groups and files shown; the rest are counted, and `--json` has them all. */
const [SHOWN_GROUPS, SHOWN_FILES] = [10, 8]

/** What looks like a ledger but was left alone, with the commands that migrate it. */
function sayLeft(left: readonly string[], input: Input): void {
  if (left.length === 0) return
  const look =
    left.length === 1 ? 'looks like a ledger or a handoff' : 'look like ledgers or handoffs'
  input.say(`left alone: ${count(left.length, 'file')} that ${look}; to migrate them:`)
  const groups = groupByFolder(left)
  for (const { path, files } of groups.slice(0, SHOWN_GROUPS)) {
    const command = `  ledger-git migrate ${safePath(shellWord(path))}`
    input.say(files.length === 1 ? command : `${command}   # ${files.length} files`)
    const names = files.length === 1 ? [] : files.slice(0, SHOWN_FILES)
    for (const name of names) input.say(`    ${safePath(name.slice(path.length + 1))}`)
    if (files.length > SHOWN_FILES) input.say(`    … and ${files.length - SHOWN_FILES} more`)
  }
  const more = groups.length - SHOWN_GROUPS
  if (more > 0) input.say(`  … and ${count(more, 'other place')}`)
  if (groups.length > 1) input.say(`  ledger-git migrate --all   # ${left.length} files`)
  if (more > 0 || left.length > SHOWN_FILES)
    input.say('ledger-git migrate --dry-run --json lists them all')
}
