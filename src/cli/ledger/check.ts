/** `check`: is the ledger fresh? Plain arguments are served by `parse-check-args.ts`, before this loads. */

import type { CheckTarget } from '../../app/ledger/check.ts'
import { checkLedger } from '../../app/ledger/check.ts'
import type { Command } from '../command/command.ts'
import { flag, nonEmpty } from '../command/command.ts'
import { hiddenLedger } from './hidden-ledger.ts'
import { checkOutput } from './parse-check-args.ts'

export const check: Command = {
  name: 'check',
  describe: 'Exit 0 when the ledger is fresh, 1 when it is stale',
  examples: [
    ['ledger-git check', 'the worktree'],
    ['ledger-git check --range origin/main..HEAD', 'every commit of a branch, for CI'],
  ],
  options: {
    worktree: {
      ...flag('check current.md on disk (default)'),
      conflicts: ['staged', 'rev', 'range'],
    },
    staged: { ...flag('check the index'), conflicts: ['rev', 'range'] },
    rev: { ...nonEmpty('check one commit'), conflicts: 'range' },
    range: nonEmpty('check every commit of A..B'),
  },
  run: async (input) => {
    const [rev, range] = [input.text('rev'), input.text('range')]
    let target: CheckTarget = { kind: input.flag('staged') ? 'staged' : 'worktree' }
    if (rev !== undefined) target = { kind: 'rev', rev }
    else if (range !== undefined) target = { kind: 'range', range }
    const needsWorktree = rev === undefined && range === undefined
    const open = await (needsWorktree ? input.openWorktree() : input.context.open())
    const report = await checkLedger(open.repository, open.settings, target)
    const hidden = report.isUnseen ? await hiddenLedger(input) : undefined
    const { out, talk } = checkOutput(report, input.json, hidden)
    input.context.stdout(out)
    input.context.stderr(talk)
    return report.fresh ? 0 : 1
  },
}
