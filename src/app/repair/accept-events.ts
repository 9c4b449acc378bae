/** Accepts damaged events as history holds them; an event records this for every clone. */

import { LedgerError } from '../../core/errors/errors.ts'
import { ACCEPTANCE_TYPE, acceptanceBody } from '../../core/event/acceptance.ts'
import { integrityOf } from '../../core/event/event-integrity.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import { oneLine } from '../../core/text/escape-markdown.ts'
import type { AddEventContext, AddEventRequest } from '../commit/add-event.ts'
import { addEvent } from '../commit/add-event.ts'
import { eventFileNames, readEventFile } from '../ledger/event-files.ts'
import { placeOfRevision, placeOfWorktree } from '../ledger/ledger-sources.ts'
import { acceptedIn, damagedEvents } from '../ledger/verify-events.ts'
import type { DamagedBlob } from '../ports/ledger-cache.ts'

export interface AcceptRequest extends Pick<AddEventRequest, 'agent' | 'afterwards'> {
  /** Paths, names or beginnings of names; if empty, all damaged events. */
  readonly words: readonly string[]
  readonly reason: string | undefined
}

/**
 * The accepted files, and the event that says so; undefined if nothing was left to accept. Throws `EVENT_NOT_FOUND`,
 * `EVENT_INVALID`.
 */
export async function acceptEvents(
  context: AddEventContext,
  { words, reason, agent, afterwards }: AcceptRequest,
) {
  const { repository, settings } = context
  const { objects } = repository
  const head = await placeOfRevision(repository, 'HEAD', settings.root)
  const damaged =
    words.length === 0 ? await damagedEvents(objects, head) : await named(context, words)
  const worktree = await placeOfWorktree(repository, settings.root)
  const isAccepted = await acceptedIn(objects, worktree)
  const open = damaged.filter((one) => !isAccepted(one))
  if (open.length === 0) return { files: [], added: undefined }
  const fields = { type: ACCEPTANCE_TYPE, reason, body: acceptanceBody(open) }
  const added = await addEvent(context, { fields, agent, afterwards })
  return { files: open.map(({ file }) => file), added }
}

async function named(
  { repository, settings }: AddEventContext,
  words: readonly string[],
): Promise<DamagedBlob[]> {
  const names = await eventFileNames(repository, settings)
  const files = new Set(words.map((word) => fileMeant(word, names)))
  const read = [...files].map(async (file) => {
    const { committed, entry, staged } = await readEventFile(repository, settings, file)
    const oid = committed?.oid ?? entry?.oid
    const bytes = committed?.content ?? staged
    if (oid !== undefined && bytes !== undefined && integrityOf(file, bytes) === 'damaged') {
      return { file, oid }
    }
    const what = bytes === undefined ? 'is in no commit' : 'is as it was written'
    const message = `${oneLine(file, '')} ${what}: there is nothing to accept`
    throw new LedgerError('EVENT_INVALID', message, 'ledger-git event validate')
  })
  return Promise.all(read)
}
