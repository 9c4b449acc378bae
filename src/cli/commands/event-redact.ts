import { relative } from 'node:path'
import type { RedactedEvent } from '../../app/repair/redact-event.ts'
import { redactEvent } from '../../app/repair/redact-event.ts'
import { ledgerPaths } from '../../app/ledger/ledger-sources.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { openWorktree, printJson } from '../context.ts'
import { safeText } from '../format.ts'
import { readWriteOptions, writeContext, writeOptions } from '../write-options.ts'

export const eventRedact: Command = {
  name: 'redact',
  words: '<file>',
  describe:
    'Take text out of an event: a new one takes its place, the old one is retracted and deleted',
  examples: [
    [
      'ledger-git event redact 2026-01-10T13-03-52.417Z_toast',
      'takes out what looks like a secret',
    ],
    [
      'ledger-git event redact thoughts/shared/handoffs/events/2026-01-10T13-03-52.417Z_toast_9f2c41ab.md',
      'a file that was edited by hand keeps its new text',
    ],
  ],
  options: (yargs) =>
    writeOptions(yargs)
      .positional('file', { type: 'string', describe: 'event file, its name, or its beginning' })
      .option('reason', { type: 'string', describe: 'why; the retraction says it' })
      .option('allow-secret', {
        type: 'boolean',
        describe: 'write it even if something in it still looks like a secret',
      }),
  run: async (args, context) => {
    const open = await openWorktree(context)
    const done = await redactEvent(writeContext(open, context), {
      word: text(args, 'file') ?? '',
      reason: text(args, 'reason'),
      secrets: context.secrets,
      isAllowed: flag(args, 'allow-secret'),
      ...readWriteOptions(args),
    })
    const shown = (path: string) => relative(context.cwd, `${open.top}/${path}`)
    const { file, path, retraction, removed, held, commit } = done
    if (flag(args, 'json')) {
      printJson(context, {
        file,
        path: path === undefined ? null : shown(path),
        retraction: retraction === undefined ? null : shown(retraction),
        removed: removed.map(shown),
        held: held ?? null,
        commit: commit ?? null,
      })
    } else if (path !== undefined) context.stdout(`${safeText(shown(path), 4096)}\n`)
    const old = `${ledgerPaths(open.settings.root).events}/${file}`
    context.stderr(whatRemains(done, old))
    return 0
  },
}

/** What this command cannot do, and who can. */
function whatRemains({ retraction, removed, held, commit }: RedactedEvent, old: string): string {
  if (retraction === undefined) return ''
  const archived = removed.some((path) => path.endsWith('.json'))
  return [
    ...(commit === undefined ? ['next: git commit (takes the change along)'] : []),
    `git's history still holds the old text${held === undefined ? '' : ` (blob ${held.slice(0, 12)})`}:`,
    '  a secret that was pushed is known: replace it at its provider',
    `  out of the history too: git filter-repo --invert-paths --path ${shellWord(old)}, and push by force`,
    ...(archived ? ['  the snapshot that stands for the event may hold some of it, too'] : []),
    '',
  ].join('\n')
}
