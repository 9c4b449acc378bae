import { diffRevisions } from '../../app/ledger/view-ledger.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { changeLine } from '../format.ts'

export const diff: Command = {
  name: 'diff',
  words: '<before> [after]',
  describe: 'What changed in the ledger between two commits (or to the worktree)',
  examples: [
    ['ledger-git diff main~5 main', 'between two commits'],
    ['ledger-git diff HEAD', 'from HEAD to the worktree, pending events included'],
  ],
  options: (yargs) =>
    yargs
      .positional('before', { type: 'string', describe: 'a commit' })
      .positional('after', { type: 'string', describe: 'a commit (default: the worktree)' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const changes = await diffRevisions(
      repository,
      settings,
      text(args, 'before') ?? 'HEAD',
      text(args, 'after'),
    )
    if (flag(args, 'json')) printJson(context, changes)
    else for (const change of changes) context.stdout(`${changeLine(change)}\n`)
    return 0
  },
}
