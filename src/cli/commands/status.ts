/** `status`: one look at the ledger and at this clone. */

import { readStatus } from '../../app/doctor/status.ts'
import type { Command } from '../command.ts'
import { safeText } from '../format.ts'

/** Of a long list, what is named. */
const MOST = 10

export const status: Command = {
  name: 'status',
  hot: true,
  describe: 'Is the ledger fresh, is this clone set up, what to run next',
  examples: [['ledger-git status', 'one look']],
  run: async (input) => {
    await input.openWorktree()
    const report = await readStatus(await input.context.setup())
    const { pending, driver, hooks, skipped, damaged, ahead, next } = report
    const some = (items: readonly string[], line: (item: string) => string) =>
      items.slice(0, MOST).map((item) => line(safeText(item)))
    const missing = hooks.missing.join(', ')
    input.print(report, [
      `ledger:  ${report.fresh ? 'fresh' : 'stale'} (${report.reason})`,
      `pending: ${pending.length === 0 ? 'none' : pending.length}`,
      ...some(pending, (path) => `         ${path}`),
      `driver:  ${driver.active ? 'active' : 'inactive'} (${driver.reason})`,
      `hooks:   ${missing === '' ? `active in ${hooks.folder}` : `missing: ${missing}`}`,
      ...(skipped > 0 ? [`skipped: ${skipped} (ledger-git event validate)`] : []),
      ...some(damaged, (file) => `damaged: ${file} (ledger-git event validate)`),
      ...some(ahead, (file) => `ahead of the clock: ${file} (ledger-git event retract)`),
      ...(next === null ? [] : [`next:    ${next}`]),
    ])
  },
}
