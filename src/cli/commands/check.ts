import type { CheckTarget } from '../../app/ledger/check.ts'
import { checkLedger } from '../../app/ledger/check.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { checkOutput } from '../parse-check-args.ts'
import { openWorktree } from '../context.ts'

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
    const { out, talk } = checkOutput(report, flag(args, 'json'))
    context.stdout(out)
    context.stderr(talk)
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
