import type { CiHost } from '../../app/setup/ci-files.ts'
import { CI_HOSTS, ciFile, ciNote } from '../../app/setup/ci-files.ts'
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
    ['ledger-git install --ci github', 'also a workflow that checks every pull request'],
    ['npm pkg set scripts.prepare="ledger-git install"', 'for everybody who runs npm install'],
  ],
  options: (yargs) =>
    yargs
      .option('dry-run', { type: 'boolean', describe: 'list the changes, make none' })
      .option('local', {
        type: 'boolean',
        describe: 'this clone only: no tracked file is written',
      })
      .option('ci', { choices: CI_HOSTS, describe: 'also a workflow that checks every change' })
      .requiresArg('ci')
      .conflicts('local', 'ci'),
  run: async (args, context) => {
    const opened = await openForInstall(context)
    if (opened === undefined) return 0
    const { repository, settings } = opened
    const dryRun = flag(args, 'dryRun')
    const ci = CI_HOSTS.find((host) => host === args['ci'])
    const teamFiles = ci === undefined ? [] : [await ciFileFor(ci, opened, context)]
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
        teamFiles,
      })
    const done = await (dryRun
      ? run()
      : context.withLock(installLock(repository.place.commonDir), run))
    const note = ci === undefined ? undefined : ciNote(ci, gitlabFile(repository, context))
    const report = note === undefined ? done : { ...done, notes: [...done.notes, note] }
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

async function ciFileFor(host: CiHost, opened: OpenRepository, context: CliContext) {
  return ciFile(host, context.template(`${host}.yml`), context.version, opened)
}

function gitlabFile({ place }: OpenRepository['repository'], { files }: CliContext) {
  return place.top === undefined ? undefined : files.read(`${place.top}/.gitlab-ci.yml`)
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
