/** Deletes an event that no commit holds, and its copies, for good. */

import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import { lostEvents } from '../commit/event-copies.ts'
import { stageFresh } from '../commit/refresh-current.ts'
import { copyOf, findEventFile } from '../ledger/event-files.ts'
import type { LedgerContext } from '../ports.ts'

/** Returns its path. Throws `EVENT_COMMITTED`, `EVENT_NOT_FOUND`. */
export async function dropEvent(context: LedgerContext, word: string): Promise<string> {
  const { repository, settings } = context
  const event = await findEventFile(repository, settings, word)
  const { file, path, committed, entry, here } = event
  // If only a copy is left here, a branch may have the event; `lostEvents` then forgets the copy.
  if (here === undefined && entry === undefined) await lostEvents(repository)
  const isPending = (here ?? entry ?? copyOf(repository, event)) !== undefined
  if (committed !== undefined || !isPending) {
    const name = oneLine(file, '')
    throw new LedgerError(
      'EVENT_COMMITTED',
      `${name} is in a commit, so the history keeps it`,
      `ledger-git event retract ${name} (a mistake), or ledger-git event redact ${name} (a secret)`,
    )
  }
  if (entry !== undefined) {
    // The staged `current.md` may contain what the event said.
    await stageFresh(context, (index) =>
      index.change([{ path: textToName(path), after: undefined }]),
    )
  }
  if (here !== undefined) await repository.worktree.remove(textToName(path))
  repository.marks.dropCopy(path)
  repository.objects.cache?.clear()
  return path
}
