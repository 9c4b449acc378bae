/** Deletes an event that no commit holds, with its copies, for good. */

import { LedgerError } from '../../core/errors/errors.ts'
import { textToName } from '../../core/git/objects.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import { oneLine } from '../../core/ledger/escape-markdown.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { eventFileNames, readEventFile } from './event-files.ts'
import type { RepositoryPort } from '../ports.ts'

/** Returns its path. Throws `EVENT_COMMITTED`, `EVENT_NOT_FOUND`. */
export async function dropEvent(
  repository: RepositoryPort,
  settings: Settings,
  word: string,
): Promise<string> {
  const file = fileMeant(word, await eventFileNames(repository, settings))
  const { path, committed, entry, here } = await readEventFile(repository, settings, file)
  const copies = await repository.copies.list()
  const isPending = here !== undefined || entry !== undefined
  if (committed !== undefined || (!isPending && copies.every((copy) => copy.path !== path))) {
    throw isCommitted(file)
  }
  if (entry !== undefined) await repository.index.remove(path)
  if (here !== undefined) await repository.worktree.remove(textToName(path))
  await repository.copies.drop(path)
  repository.objects.cache?.clear()
  return path
}

function isCommitted(file: string): LedgerError {
  const name = oneLine(file, '')
  return new LedgerError(
    'EVENT_COMMITTED',
    `${name} is in a commit, and the history keeps it`,
    `ledger-git event retract ${name} (a mistake), or ledger-git event redact ${name} (a secret)`,
  )
}
