import { relative } from 'node:path'
import { addEvent } from '../../app/commit/add-event.ts'
import { readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import type { Command } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { readWriteOptions, writeContext, writeOptions } from '../write-options.ts'

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
      .positional('files', { type: 'string', describe: 'event files, names, or their beginnings' })
      .option('reason', { type: 'string', describe: 'why' })
      .option('allow-secret', {
        type: 'boolean',
        describe: 'write it even if the reason looks like a secret',
      }),
  run: async (args, context) => {
    const open = await openWorktree(context)
    const set = await readLedgerEvents(open.repository, open.settings, undefined)
    const archived = set.events.flatMap(({ covers }) => covers)
    const known = [...set.events, ...set.problems, ...archived].map(({ file }) => file)
    const names = texts(args, 'files').map((word) => fileMeant(word, known))
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
