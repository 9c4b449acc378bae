import { install as installLedger } from '../../app/setup/install.ts'
import type { InstallReport } from '../../app/setup/install-record.ts'
import { installLock } from '../../app/setup/install-record.ts'
import { LedgerError } from '../../core/errors.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import type { CliContext, OpenRepository } from '../context.ts'
import { printJson } from '../context.ts'

export const install: Command = {
  name: 'install',
  hot: true,
  describe: 'Set this repository up: merge driver, hooks, attributes, an empty ledger',
  examples: [
    ['ledger-git install', 'once a clone; again after an update'],
    ['ledger-git install --dry-run', 'what it would change'],
    ['npm pkg set scripts.prepare="ledger-git install"', 'for everybody who runs npm install'],
  ],
  options: (yargs) =>
    yargs
      .option('dry-run', { type: 'boolean', describe: 'list the changes, make none' })
      .option('local', {
        type: 'boolean',
        describe: 'this clone only: no tracked file is written',
      }),
  run: async (args, context) => {
    const opened = await openForInstall(context)
    if (opened === undefined) return 0
    const { repository, settings } = opened
    const dryRun = flag(args, 'dryRun')
    const run = async () =>
      installLedger({
        repository,
        settings,
        files: context.files,
        hooks: await context.hooksFolder(),
        gits: await context.gitVersions(),
        launch: context.installLaunch(),
        assets: context.installAssets(),
        version: context.version,
        dryRun,
        local: flag(args, 'local'),
      })
    const report = await (dryRun
      ? run()
      : context.withLock(installLock(repository.place.commonDir), run))
    if (flag(args, 'json')) {
      printJson(context, { ...report, dryRun })
      return 0
    }
    printReport(report, context)
    if (report.changes.length === 0) context.stdout('already installed: nothing to change\n')
    else if (!dryRun && report.commit.length > 0) {
      const paths = report.commit.map((path) => shellWord(path)).join(' ')
      context.stderr(`next: git add ${paths} && git commit -m 'chore: set up ledger-git'\n`)
    }
    return 0
  },
}

/** Undefined in an `npm install` outside a repository (a container, a tarball): that must not fail. */
async function openForInstall(context: CliContext): Promise<OpenRepository | undefined> {
  try {
    return await context.open()
  } catch (error) {
    const isNpm = /^(?:pre|post)?install$|^prepare$/.test(context.env['npm_lifecycle_event'] ?? '')
    if (!isNpm || !(error instanceof LedgerError)) throw error
    if (error.code !== 'NOT_A_REPOSITORY' && error.code !== 'GIT_MISSING') throw error
    context.stderr(`ledger-git: not installed: ${error.message}\n`)
    return undefined
  }
}

/** `create path (what)`, one line a change; notes go to stderr. */
export function printReport(report: InstallReport, context: CliContext): void {
  for (const { change, path, what } of report.changes) {
    context.stdout(`${change.padEnd(6)} ${path} (${what})\n`)
  }
  for (const note of report.notes) context.stderr(`note: ${note}\n`)
}

function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
