import { install as installLedger } from '../../app/install.ts'
import type { InstallReport } from '../../app/install-record.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import type { CliContext } from '../context.ts'
import { printJson } from '../context.ts'

export const install: Command = {
  name: 'install',
  hot: true,
  describe: 'Set this repository up: merge driver, hooks, attributes, an empty ledger',
  examples: [
    ['ledger-git install', 'once a clone; again after an update'],
    ['ledger-git install --dry-run', 'what it would change'],
  ],
  options: (yargs) =>
    yargs.option('dry-run', { type: 'boolean', describe: 'list the changes, make none' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const dryRun = flag(args, 'dryRun')
    const report = await installLedger({
      repository,
      settings,
      files: context.files,
      hooks: await context.hooksFolder(),
      launch: context.installLaunch(),
      assets: context.installAssets(),
      version: context.version,
      dryRun,
    })
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
