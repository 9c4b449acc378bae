import { KEPT_BY_HAND } from '../../app/ledger/unmanaged-ledger.ts'
import type { EventSet } from '../../app/ledger/ledger-tree.ts'
import { filterLedger, readLedger } from '../../app/ledger/view-ledger.ts'
import { ledgerToJson } from '../../core/ledger/ledger-json.ts'
import { foldLedger } from '../../core/ledger/join.ts'
import { renderLedger } from '../../core/ledger/render.ts'
import { withoutControls } from '../../core/text/strip-control-chars.ts'
import type { Arguments, Command } from '../command.ts'
import { flag, text } from '../command.ts'
import type { CliContext } from '../context.ts'
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
    const { set, handKept } = await readLedger(repository, settings, text(args, 'rev'))
    if (handKept !== undefined) return showHandKept(handKept, set, args, context)
    const ledger = filterLedger(set, readFilter(args, context))
    if (flag(args, 'json')) printJson(context, ledgerToJson(ledger, set.eventsTree))
    else context.stdout(readable(renderLedger(ledger, set.eventsTree)))
    return 0
  },
}

/** Nothing of it is an event: filters have nothing to choose from, and the data has no entries. */
export function showHandKept(
  markdown: string,
  { eventsTree }: Pick<EventSet, 'eventsTree'>,
  args: Arguments,
  context: CliContext,
): number {
  context.stderr(`${KEPT_BY_HAND}\n`)
  if (flag(args, 'json')) {
    const empty = ledgerToJson(foldLedger([]), eventsTree)
    printJson(context, { ...empty, meta: { ...empty.meta, kept_by_hand: true } })
  } else context.stdout(context.isStdoutTty ? withoutControls(markdown) : markdown)
  return 0
}

/** The rendering without comments and footer, which are for tools and for people who meet the file. */
function readable(markdown: string): string {
  const body = markdown.slice(0, markdown.lastIndexOf('\n---\n_synthesized:'))
  const text = body.replace(/^(?:<!-- .*-->\n+)+/, '').replace(/^<!-- generated.*-->\n/m, '')
  return `${text.trimEnd()}\n`
}
