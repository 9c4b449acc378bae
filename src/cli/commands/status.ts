import { readStatus } from '../../app/doctor/status.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const status: Command = {
  name: 'status',
  hot: true,
  describe: 'Is the ledger fresh, is this clone set up, what to run next',
  examples: [['ledger-git status', 'one look']],
  options: (yargs) => yargs,
  run: async (args, context) => {
    await openWorktree(context)
    const { files, clock, env, version } = context
    const report = await readStatus({ ...(await context.setup()), files, clock, env, version })
    if (flag(args, 'json')) {
      printJson(context, report)
      return 0
    }
    const hooksLine =
      report.hooks.missing.length === 0
        ? `active in ${report.hooks.folder}`
        : `missing: ${report.hooks.missing.join(', ')}`
    const lines = [
      `ledger:  ${report.fresh ? 'fresh' : 'stale'} (${report.reason})`,
      `pending: ${report.pending.length === 0 ? 'none' : report.pending.length}`,
      ...report.pending.slice(0, 10).map((path) => `         ${safeText(path)}`),
      `driver:  ${report.driver.active ? 'active' : 'inactive'} (${report.driver.reason})`,
      `hooks:   ${hooksLine}`,
      ...(report.skipped > 0 ? [`skipped: ${report.skipped} (ledger-git event validate)`] : []),
      ...report.damaged
        .slice(0, 10)
        .map((file) => `damaged: ${safeText(file)} (ledger-git event validate)`),
      ...report.ahead
        .slice(0, 10)
        .map((file) => `ahead of the clock: ${safeText(file)} (ledger-git event retract)`),
      ...(report.next === null ? [] : [`next:    ${report.next}`]),
    ]
    context.stdout(`${lines.join('\n')}\n`)
    return 0
  },
}
