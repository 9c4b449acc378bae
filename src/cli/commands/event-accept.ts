import { relative } from 'node:path'
import { acceptEvents } from '../../app/repair/accept-events.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Command } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { readWriteOptions, writeContext, writeOptions } from '../write-options.ts'

export const eventAccept: Command = {
  name: 'accept',
  words: '[files..]',
  describe: 'Take damaged events as the history now holds them (after it was rewritten)',
  examples: [
    ['ledger-git event accept 2026-01-10T13-03-52.417Z_toast', 'one event'],
    ['ledger-git event accept --all --reason "git filter-repo"', 'all that check reports'],
  ],
  options: (yargs) =>
    writeOptions(yargs)
      .positional('files', { type: 'string', describe: 'event files, names, or their beginnings' })
      .option('all', { type: 'boolean', describe: 'every damaged event of HEAD' })
      .option('reason', { type: 'string', describe: 'why' }),
  run: async (args, context) => {
    const words = texts(args, 'files')
    if (flag(args, 'all') === words.length > 0) {
      throw new LedgerError('USAGE', 'name event files, or give --all', 'ledger-git check')
    }
    const open = await openWorktree(context)
    const { files, added } = await acceptEvents(writeContext(open, context), {
      words,
      reason: text(args, 'reason'),
      ...readWriteOptions(args),
    })
    const path = added && relative(context.cwd, `${open.top}/${added.path}`)
    if (flag(args, 'json')) {
      printJson(context, { path: path ?? null, accepts: files, commit: added?.commit ?? null })
    } else if (path !== undefined) context.stdout(`${path}\n`)
    if (path === undefined) context.stderr('ledger-git: nothing is left to accept\n')
    return 0
  },
}
