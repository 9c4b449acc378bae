import { installLock } from '../../app/setup/install-record.ts'
import { uninstall as uninstallLedger } from '../../app/setup/uninstall.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import { printJson } from '../context.ts'
import { printReport } from './install.ts'

export const uninstall: Command = {
  name: 'uninstall',
  hot: true,
  describe: 'Take out everything that install wrote; events stay',
  examples: [['ledger-git uninstall', 'this clone and its worktrees']],
  options: (yargs) =>
    yargs.option('dry-run', { type: 'boolean', describe: 'list the changes, make none' }),
  run: async (args, context) => {
    const { repository } = await context.open()
    const { commonDir, gitDir, top } = repository.place
    const hooks = await context.hooksFolder()
    const dryRun = flag(args, 'dryRun')
    const run = () =>
      uninstallLedger({
        files: context.files,
        commonDir,
        gitDir,
        top,
        hooks,
        isTracked: (path) => context.isTracked(path),
        dryRun,
      })
    const report = await (dryRun ? run() : context.withLock(installLock(commonDir), run))
    if (flag(args, 'json')) {
      printJson(context, { ...report, dryRun })
      return 0
    }
    printReport(report, context)
    if (report.changes.length === 0) context.stdout('not installed: nothing to change\n')
    return 0
  },
}
