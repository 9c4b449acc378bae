/** `resolve`: regenerates `current.md` after a conflict. */

import { resolveLedger } from '../../app/commit/resolve.ts'
import type { Command } from '../command.ts'
import { COMMIT } from '../command.ts'

export const resolve: Command = {
  name: 'resolve',
  hot: true,
  writes: true,
  describe: "Regenerate a conflicted or stale current.md from the index's events and stage it",
  examples: [
    ['ledger-git resolve', 'in a conflict: then git commit, or git rebase --continue'],
    ['ledger-git resolve --commit', 'after the fact: a commit of the ledger only'],
  ],
  options: { commit: COMMIT },
  run: async (input) => {
    const open = await input.openWorktree()
    const { path, staged, commit } = await resolveLedger(open, { commit: input.flag('commit') })
    const state = staged ? 'regenerated and staged' : 'fresh already'
    const what = commit === undefined ? state : `committed ${commit.slice(0, 9)}`
    input.print({ path, staged, commit: commit ?? null }, `${path}: ${what}`)
    if (staged && commit === undefined && !input.json) {
      input.say('next: git commit, or the --continue that git status names')
    }
  },
}
