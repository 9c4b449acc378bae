import { relative } from 'node:path'
import { restoreEvent } from '../../app/repair/restore-event.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const eventRestore: Command = {
  name: 'restore',
  words: '<file>',
  writes: true,
  describe: 'Bring an event back, byte for byte: changed, torn, lost, archived or purged',
  examples: [
    ['ledger-git event restore 2026-01-10T13-03-52.417Z_toast', 'by the beginning of its name'],
  ],
  options: (yargs) =>
    yargs.positional('file', {
      type: 'string',
      describe: 'event file, its name (.md, .json or neither), or its beginning',
    }),
  run: async (args, context) => {
    const { repository, settings, top } = await openWorktree(context)
    const { path, existed } = await restoreEvent(repository, settings, text(args, 'file') ?? '')
    const shown = relative(context.cwd, `${top}/${path}`)
    if (flag(args, 'json')) printJson(context, { path: shown, existed })
    else context.stdout(`${safeText(shown, 4096)}\n`)
    if (existed) context.stderr('it is in events/ already\n')
    return 0
  },
}
