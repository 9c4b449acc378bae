import { relative } from 'node:path'
import { addEvent } from '../../app/add-event.ts'
import { readLedgerEvents } from '../../app/view-ledger.ts'
import { LedgerError } from '../../core/errors.ts'
import type { Command } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const eventRetract: Command = {
  name: 'retract',
  words: '<files..>',
  describe: 'Take events out of the ledger by adding a retraction; the files stay',
  examples: [
    ['ledger-git event retract 2099-01-01T00-00-00Z_crisp_00c0ffee.md', 'a clock that was wrong'],
  ],
  options: (yargs) =>
    yargs
      .positional('files', { type: 'string', describe: 'event files' })
      .option('reason', { type: 'string', describe: 'why' })
      .option('agent', { type: 'string', describe: 'who retracts' })
      .option('stage', {
        type: 'boolean',
        describe: 'stage the retraction and the refreshed current.md',
      })
      .option('commit', { type: 'boolean', describe: "make a commit of the ledger's own" })
      .conflicts('stage', 'commit'),
  run: async (args, context) => {
    const { repository, settings, top } = await openWorktree(context)
    const names = texts(args, 'files').map((file) => file.replace(/^.*\//, ''))
    const set = await readLedgerEvents(repository, settings, undefined)
    const known = new Set([...set.events, ...set.problems].map(({ file }) => file))
    const unknown = names.find((name) => !known.has(name))
    if (unknown !== undefined) {
      throw new LedgerError(
        'EVENT_NOT_FOUND',
        `no event is named ${safeText(unknown)}`,
        'ledger-git event list',
      )
    }
    const added = await addEvent(
      {
        repository,
        settings,
        clock: context.clock,
        env: context.env,
        folder: context.cwd,
        say: (message) => context.stderr(`${message}\n`),
      },
      {
        fields: { type: 'retraction', reason: text(args, 'reason'), retracts: names },
        ts: undefined,
        agent: text(args, 'agent'),
        afterwards: flag(args, 'commit') ? 'commit' : flag(args, 'stage') ? 'stage' : 'leave',
      },
    )
    const path = relative(context.cwd, `${top}/${added.path}`)
    if (flag(args, 'json'))
      printJson(context, { path, retracts: names, commit: added.commit ?? null })
    else context.stdout(`${path}\n`)
    return 0
  },
}
