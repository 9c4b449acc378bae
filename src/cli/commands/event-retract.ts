import { relative } from 'node:path'
import { addEvent } from '../../app/add-event.ts'
import { readLedgerEvents } from '../../app/view-ledger.ts'
import { LedgerError } from '../../core/errors.ts'
import type { Command } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { readWriteOptions, writeContext, writeOptions } from '../write-options.ts'
import { safeText } from '../format.ts'

export const eventRetract: Command = {
  name: 'retract',
  words: '<files..>',
  writes: true,
  describe: 'Take events out of the ledger by adding a retraction; the files stay',
  examples: [
    ['ledger-git event retract 2099-01-01T00-00-00Z_crisp_00c0ffee.md', 'a clock that was wrong'],
  ],
  options: (yargs) =>
    writeOptions(yargs)
      .positional('files', { type: 'string', describe: 'event files' })
      .option('reason', { type: 'string', describe: 'why' })
      .option('allow-secret', {
        type: 'boolean',
        describe: 'write it even if the reason looks like a secret',
      }),
  run: async (args, context) => {
    const open = await openWorktree(context)
    const names = texts(args, 'files').map((file) => file.replace(/^.*\//, ''))
    const set = await readLedgerEvents(open.repository, open.settings, undefined)
    const archived = set.events.flatMap(({ covers }) => covers)
    const known = new Set([...set.events, ...set.problems, ...archived].map(({ file }) => file))
    const unknown = names.find((name) => !known.has(name))
    if (unknown !== undefined) {
      throw new LedgerError(
        'EVENT_NOT_FOUND',
        `no event is named ${safeText(unknown)}`,
        'ledger-git event list',
      )
    }
    const added = await addEvent(writeContext(open, context), {
      fields: { type: 'retraction', reason: text(args, 'reason'), retracts: names },
      ts: undefined,
      secrets: flag(args, 'allow-secret') ? undefined : context.secrets,
      ...readWriteOptions(args),
    })
    const path = relative(context.cwd, `${open.top}/${added.path}`)
    if (flag(args, 'json'))
      printJson(context, { path, retracts: names, commit: added.commit ?? null })
    else context.stdout(`${path}\n`)
    return 0
  },
}
