import { resolveLedger } from '../../app/commit/resolve.ts'
import type { Command } from '../command.ts'
import { flag } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'

export const resolve: Command = {
  name: 'resolve',
  hot: true,
  writes: true,
  describe: "Regenerate a conflicted or stale current.md from the index's events and stage it",
  examples: [
    ['ledger-git resolve', 'in a conflict: then git commit, or git rebase --continue'],
    ['ledger-git resolve --commit', 'after the fact: a commit of the ledger only'],
  ],
  options: (yargs) =>
    yargs.option('commit', { type: 'boolean', describe: "make a commit of the ledger's own" }),
  run: async (args, context) => {
    const { repository, settings } = await openWorktree(context)
    const isCommit = flag(args, 'commit')
    const say = (message: string) => context.stderr(`${message}\n`)
    const { staged, commit, path } = await resolveLedger(
      repository,
      settings,
      { commit: isCommit },
      say,
    )
    if (flag(args, 'json')) printJson(context, { path, staged, commit: commit ?? null })
    else if (commit !== undefined) context.stdout(`${path}: committed ${commit.slice(0, 9)}\n`)
    else if (staged) {
      context.stdout(`${path}: regenerated and staged\n`)
      context.stderr('next: git commit, or the --continue that git status names\n')
    } else context.stdout(`${path}: fresh already\n`)
    return 0
  },
}
