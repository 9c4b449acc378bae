import { relative } from 'node:path'
import { findArchived } from '../../app/archive/read-archive.ts'
import { ledgerPaths } from '../../app/ledger-places.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'

export const eventRestore: Command = {
  name: 'restore',
  words: '<file>',
  writes: true,
  describe: 'Bring an archived (or purged) event back into events/, byte for byte',
  examples: [
    ['ledger-git event restore 2026-01-10T13-03-52.417Z_toast_9f2c41ab.md', 'by its file name'],
  ],
  options: (yargs) =>
    yargs.positional('file', { type: 'string', describe: 'file name, with .md, .json or neither' }),
  run: async (args, context) => {
    const { repository, settings, top } = await openWorktree(context)
    const name = (text(args, 'file') ?? '').replace(/^.*\//, '')
    const { file, bytes } = await findArchived(repository, settings, name)
    const path = `${ledgerPaths(settings.root).events}/${file}`
    const existed = !(await repository.worktree.create(path, bytes))
    const shown = relative(context.cwd, `${top}/${path}`)
    if (flag(args, 'json')) printJson(context, { path: shown, existed })
    else context.stdout(`${safeText(shown, 4096)}\n`)
    if (existed) context.stderr('it is in events/ already\n')
    return 0
  },
}
