/** Takes damaged events as history holds them: an event says so, in every clone. */

import { LedgerError } from '../../core/errors/errors.ts'
import { ACCEPTANCE_TYPE, acceptanceBody } from '../../core/event/acceptance.ts'
import { integrityOf } from '../../core/event/event-integrity.ts'
import { fileMeant } from '../../core/event/file-word.ts'
import { oneLine } from '../../core/ledger/escape-markdown.ts'
import type { AddedEvent, AddEventContext, AddEventRequest } from '../commit/add-event.ts'
import { addEvent } from '../commit/add-event.ts'
import { acceptedIn } from '../ledger/acceptances.ts'
import { eventFileNames, readEventFile } from './event-files.ts'
import { placeOfRevision, placeOfWorktree } from '../ledger/ledger-sources.ts'
import type { DamagedBlob } from '../ports.ts'
import { damagedEvents } from '../ledger/verify-events.ts'

export interface AcceptRequest extends Pick<AddEventRequest, 'agent' | 'afterwards'> {
  /** Paths, names or beginnings of names; none: all that are damaged. */
  readonly words: readonly string[]
  readonly reason: string | undefined
}

export interface Accepted {
  readonly files: readonly string[]
  /** Undefined where nothing was left to accept. */
  readonly added: AddedEvent | undefined
}

/** Throws `EVENT_NOT_FOUND`, `EVENT_INVALID`. */
export async function acceptEvents(
  context: AddEventContext,
  { words, reason, agent, afterwards }: AcceptRequest,
): Promise<Accepted> {
  const { repository, settings } = context
  const damaged = words.length === 0 ? await damagedInHead(context) : await named(context, words)
  const worktree = await placeOfWorktree(repository, settings.root)
  const isAccepted = await acceptedIn(repository.objects, worktree)
  const open = damaged.filter((one) => !isAccepted(one))
  if (open.length === 0) return { files: [], added: undefined }
  const fields = { type: ACCEPTANCE_TYPE, reason, body: acceptanceBody(open) }
  const added = await addEvent(context, { fields, ts: undefined, agent, afterwards })
  return { files: open.map(({ file }) => file), added }
}

async function damagedInHead({
  repository,
  settings,
}: AddEventContext): Promise<readonly DamagedBlob[]> {
  const head = await placeOfRevision(repository, 'HEAD', settings.root)
  return damagedEvents(repository.objects, head)
}

async function named(
  { repository, settings }: AddEventContext,
  words: readonly string[],
): Promise<DamagedBlob[]> {
  const names = await eventFileNames(repository, settings)
  const files = new Set(words.map((word) => fileMeant(word, names)))
  return Promise.all(
    [...files].map(async (file) => {
      const { committed, entry, staged } = await readEventFile(repository, settings, file)
      const oid = committed?.oid ?? entry?.oid
      const bytes = committed?.content ?? staged
      if (oid !== undefined && bytes !== undefined && integrityOf(file, bytes) === 'damaged') {
        return { file, oid }
      }
      throw notDamaged(file, bytes !== undefined)
    }),
  )
}

function notDamaged(file: string, isTracked: boolean): LedgerError {
  const what = isTracked ? 'holds what its name was made of' : 'is in no commit'
  return new LedgerError(
    'EVENT_INVALID',
    `${oneLine(file, '')} ${what}: there is nothing to accept`,
    'ledger-git event validate',
  )
}
