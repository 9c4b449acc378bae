import { filterLedger, readLedgerEvents } from '../../app/view-ledger.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { filterOptions, readFilter } from '../filter-options.ts'

export const show: Command = {
  name: 'show',
  describe: 'Show the ledger of the worktree, with its pending events',
  examples: [
    ['ledger-git show', 'the ledger'],
    ['ledger-git show --rev main --json', 'the ledger of a commit, as data'],
    ['ledger-git show --agent toast --since 2d', 'what one agent says'],
  ],
  options: (yargs) =>
    filterOptions(yargs).option('rev', { type: 'string', describe: 'the ledger of this commit' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const set = await readLedgerEvents(repository, settings, text(args, 'rev'))
    const ledger = filterLedger(set, readFilter(args, context))
    if (flag(args, 'json')) printJson(context, ledgerToJson(ledger, set.eventsTree))
    else context.stdout(readable(renderLedger(ledger, set.eventsTree)))
    return 0
  },
}

/** The rendering without its note and footer, which are for git and for people who meet the file. */
function readable(markdown: string): string {
  const body = markdown.slice(0, markdown.lastIndexOf('\n---\n_synthesized:'))
  return `${body.replace(/^<!-- generated.*-->\n/m, '').trimEnd()}\n`
}
