import { previewMerge } from '../../app/ledger/view-ledger.ts'
import { ledgerOf } from '../../app/ledger/ledger-tree.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { changeLine } from '../format.ts'

export const preview: Command = {
  name: 'preview',
  words: '<branch>',
  describe: 'What merging BRANCH would make of the ledger; nothing is written',
  examples: [['ledger-git preview feature/login', 'before git merge feature/login']],
  options: (yargs) =>
    yargs.positional('branch', { type: 'string', describe: 'a branch or commit' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const { set, changes } = await previewMerge(repository, settings, text(args, 'branch') ?? '')
    if (flag(args, 'json')) {
      printJson(context, { changes, ledger: ledgerToJson(ledgerOf(set), set.eventsTree) })
    } else if (changes.length === 0) context.stdout('no change in the ledger\n')
    else for (const change of changes) context.stdout(`${changeLine(change)}\n`)
    return 0
  },
}
