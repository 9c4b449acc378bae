import type { CheckTarget } from '../../app/check.ts'
import { checkLedger } from '../../app/check.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'

export const check: Command = {
  name: 'check',
  hot: true,
  describe: 'Exit 0 when the ledger is fresh, 1 when it is stale',
  examples: [
    ['ledger-git check', 'the worktree'],
    ['ledger-git check --range origin/main..HEAD', 'every commit of a branch, for CI'],
  ],
  options: (yargs) =>
    yargs
      .option('worktree', { type: 'boolean', describe: 'current.md on disk (default)' })
      .option('staged', { type: 'boolean', describe: 'the index' })
      .option('rev', { type: 'string', describe: 'one commit' })
      .option('range', { type: 'string', describe: 'every commit of A..B' })
      .requiresArg(['rev', 'range'])
      .conflicts({ worktree: ['staged', 'rev', 'range'], staged: ['rev', 'range'], rev: 'range' }),
  run: async (args, context) => {
    const target = readTarget(text(args, 'rev'), text(args, 'range'), flag(args, 'staged'))
    const needsWorktree = target.kind === 'worktree' || target.kind === 'staged'
    const { repository, settings } = await (needsWorktree ? openWorktree(context) : context.open())
    const report = await checkLedger(repository, settings, target)
    if (flag(args, 'json')) {
      printJson(context, { fresh: report.fresh, checked: report.checked })
    } else {
      for (const { rev, where, fresh, reason } of report.checked) {
        const name = rev === null ? where : rev.slice(0, 12)
        context.stdout(`${name}: ${fresh ? 'fresh' : 'stale'}: ${reason}\n`)
      }
      if (report.pending > 0) context.stderr(`${report.pending} pending (in no commit yet)\n`)
      if (!report.fresh) {
        const isDone = target.kind === 'rev' || target.kind === 'range'
        context.stderr(`next: ledger-git resolve${isDone ? ' --commit' : ''}\n`)
      }
    }
    return report.fresh ? 0 : 1
  },
}

function readTarget(
  rev: string | undefined,
  range: string | undefined,
  staged: boolean,
): CheckTarget {
  if (rev !== undefined) return { kind: 'rev', rev }
  if (range !== undefined) return { kind: 'range', range }
  return { kind: staged ? 'staged' : 'worktree' }
}
