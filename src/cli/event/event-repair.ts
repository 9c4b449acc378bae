/** Repairing events: `event restore`, `redact`, `accept` and `drop`. */

import { acceptEvents } from '../../app/repair/accept-events.ts'
import { dropEvent } from '../../app/repair/drop-event.ts'
import type { RedactedEvent } from '../../app/repair/redact-event.ts'
import { redactEvent } from '../../app/repair/redact-event.ts'
import { restoreEvent } from '../../app/repair/restore-event.ts'
import { usage } from '../../core/errors/errors.ts'
import type { Command } from '../command/command.ts'
import { flag, value } from '../command/command.ts'
import { safePath } from '../command/format.ts'
import { readWriteOptions, WRITE_OPTIONS, writeContext } from '../command/shared-options.ts'

export const eventRestore: Command = {
  name: 'restore',
  words: { '<file>': 'event file, its name (.md, .json or neither), or its beginning' },
  writes: true,
  describe:
    'Restore an event byte for byte, whether it was changed, torn, lost, archived or purged',
  examples: [
    ['ledger-git event restore 2026-01-10T13-03-52.417Z_toast', 'by the beginning of its name'],
  ],
  run: async (input) => {
    const { repository, settings, fromHere } = await input.openWorktree()
    const { path, existed } = await restoreEvent(repository, settings, input.word('file'))
    input.print({ path: fromHere(path), existed }, safePath(fromHere(path)))
    if (existed) input.say('it is already in events/')
  },
}

export const eventRedact: Command = {
  name: 'redact',
  words: { '<file>': 'event file, its name, or its beginning' },
  describe:
    'Remove text from an event: a new event replaces it, and the old one is retracted and deleted',
  examples: [
    ['ledger-git event redact 2026-01-10T13-03-52.417Z_toast', 'removes what looks like a secret'],
  ],
  options: {
    ...WRITE_OPTIONS,
    reason: value('why (recorded in the retraction)'),
    'allow-secret': flag('write it even if something in it still looks like a secret'),
  },
  run: async (input) => {
    const open = await input.openWorktree()
    const done = await redactEvent(writeContext(open, input), {
      word: input.word('file'),
      reason: input.text('reason'),
      secrets: input.context.secrets,
      isAllowed: input.flag('allow-secret'),
      ...readWriteOptions(input),
    })
    const { file, removed, held, commit } = done
    const path = done.path && open.fromHere(done.path)
    const retraction = done.retraction && open.fromHere(done.retraction)
    const json = { file, path, retraction, removed: removed.map(open.fromHere), held, commit }
    input.print(json, path === undefined ? [] : safePath(path))
    if (retraction === undefined) return
    for (const line of whatRemains(done)) input.say(line)
  },
}

/** What this command cannot do, and what can. */
function whatRemains({ removed, held, commit }: RedactedEvent): string[] {
  const blob = held === undefined ? '' : ` (blob ${held.slice(0, 12)})`
  const isArchived = removed.some((path) => path.endsWith('.json'))
  return [
    ...(commit === undefined ? ['next: git commit (includes the change)'] : []),
    `git's history still holds the old text${blob}:`,
    '  a secret that was pushed is no longer secret: replace it at its provider',
    '  to remove it from the history, where current.md and archives hold it as well: put the secret into a file outside of the repository, run git filter-repo --replace-text THAT-FILE, and force-push',
    ...(isArchived
      ? [
          '  is it in the snapshot, too? ledger-git event validate names it, ledger-git event redact removes it',
        ]
      : []),
  ]
}

export const eventAccept: Command = {
  name: 'accept',
  words: { '[files..]': 'event files, names, or their beginnings' },
  describe: 'Accept damaged events as the history now holds them (after it was rewritten)',
  examples: [
    ['ledger-git event accept 2026-01-10T13-03-52.417Z_toast', 'one event'],
    ['ledger-git event accept --all --reason "git filter-repo"', 'all that check reports'],
  ],
  options: {
    ...WRITE_OPTIONS,
    all: flag('every damaged event of HEAD'),
    reason: value('why'),
  },
  run: async (input) => {
    const words = input.texts('files')
    if (input.flag('all') === words.length > 0) {
      throw usage('name event files, or give --all', 'ledger-git check')
    }
    const open = await input.openWorktree()
    const request = { words, reason: input.text('reason'), ...readWriteOptions(input) }
    const { files, added } = await acceptEvents(writeContext(open, input), request)
    const path = added && open.fromHere(added.path)
    input.print({ path, accepts: files, commit: added?.commit }, path ?? [])
    if (path === undefined) input.say('ledger-git: nothing is left to accept')
  },
}

export const eventDrop: Command = {
  name: 'drop',
  words: { '<file>': 'event file, its name, or its beginning' },
  describe: 'Permanently delete an event that no commit holds yet, with its copies',
  examples: [['ledger-git event drop 2026-01-10T13-03-52.417Z_toast', 'a pending event']],
  run: async (input) => {
    const { fromHere, ...open } = await input.openWorktree()
    const path = fromHere(await dropEvent({ ...open, say: input.say }, input.word('file')))
    input.print({ path }, safePath(path))
  },
}
