import { relative } from 'node:path'
import { dropEvent } from '../../app/repair/drop-event.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const eventDrop: Command = {
  name: 'drop',
  words: '<file>',
  describe: 'Delete an event that no commit holds yet, with its copies, for good',
  examples: [['ledger-git event drop 2026-01-10T13-03-52.417Z_toast', 'a pending event']],
  options: (yargs) =>
    yargs.positional('file', {
      type: 'string',
      describe: 'event file, its name, or its beginning',
    }),
  run: async (args, context) => {
    const { repository, settings, top } = await openWorktree(context)
    const path = await dropEvent(repository, settings, text(args, 'file') ?? '')
    const shown = relative(context.cwd, `${top}/${path}`)
    if (flag(args, 'json')) printJson(context, { path: shown })
    else context.stdout(`${safeText(shown, 4096)}\n`)
    return 0
  },
}
