/** `resolve`: regenerates `current.md`, and merges handoffs, after a conflict. */

import type { ResolvedHandoff } from '../../app/merge/resolve-handoffs.ts'
import { resolveLedger } from '../../app/commit/resolve.ts'
import { passedOver } from '../../app/ledger/passed-over.ts'
import { decidedInMerge } from '../../app/ledger/view-ledger.ts'
import { twiceLine } from '../../core/ledger/decided-twice.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command } from '../command/command.ts'
import { COMMIT } from '../command/command.ts'
import { safeText } from '../command/format.ts'
import { hiddenLedger } from './hidden-ledger.ts'
import { writeContext } from '../command/shared-options.ts'

/** What became of a handoff, and what to do about it. */
const SAYS: Record<ResolvedHandoff['state'], (path: string) => string> = {
  merged: () => 'merged and staged',
  conflict: (path) => `both sides changed the same text: settle it, then git add ${path}`,
  edited: (path) => `settled by hand and not staged: git add ${path}`,
  'one-sided': (path) => `not changed on both sides: git add ${path}, or git rm ${path}`,
}

export const resolve: Command = {
  name: 'resolve',
  writes: true,
  describe:
    "Regenerate a conflicted or stale current.md from the index's events, merge handoffs in conflict, and stage them",
  examples: [
    ['ledger-git resolve', 'in a conflict: then git commit, or git rebase --continue'],
    ['ledger-git resolve --commit', 'after the fact: a commit of the ledger only'],
  ],
  options: { commit: COMMIT },
  run: async (input) => {
    const open = await input.openWorktree()
    const resolved = await resolveLedger(writeContext(open, input), {
      commit: input.flag('commit'),
    })
    const { path, staged, isWritten, commit, handoffs, aside } = resolved
    // If git ignores the ledger, there is nothing to render either.
    const isIdle = !staged && !isWritten && resolved.reason !== undefined && handoffs.length === 0
    const hidden = isIdle
      ? await hiddenLedger(input)
      : await passedOver(open.repository, open.settings.root)
    const idle = hidden?.message ?? resolved.reason ?? 'already fresh'
    const settled = isWritten ? 'regenerated' : idle
    const state = staged ? 'regenerated and staged' : settled
    const what = commit === undefined ? state : `committed ${commit.slice(0, 9)}`
    const lines = handoffs.map((handoff) => {
      const next = SAYS[handoff.state](shellWord(open.fromHere(handoff.path)))
      return safeText(`${handoff.path}: ${next}`, Infinity) // the folder's name may come from a branch
    })
    const others = aside.map((name) => {
      const next = `git rm ${shellWord(open.fromHere(name))}`
      return safeText(`${name}: git put a side of current.md there: ${next}`, Infinity)
    })
    const beside = aside.length === 0 ? {} : { aside }
    input.print({ path, staged, commit, handoffs, ...beside }, [
      `${path}: ${what}`,
      ...lines,
      ...others,
    ])
    for (const one of await decidedInMerge(open.repository, open.settings))
      input.say(twiceLine(one))
    if (hidden !== undefined) input.say(`next: ${hidden.fix}`)
    const isOpen = aside.length > 0 || handoffs.some(({ state }) => state !== 'merged')
    if (hidden !== undefined || isOpen) return 1
    if ((staged || handoffs.length > 0) && commit === undefined && !input.json) {
      input.say('next: git commit, or the --continue that git status names')
    }
    return 0
  },
}
