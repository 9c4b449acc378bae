/** Archives of the active ledger: redacted, then read back from disk before anything else happens. */

import type { Trigger } from '../../core/active-ledger/archive.ts'
import {
  archivedAt,
  archiveName,
  archiveText,
  isArchiveOf,
  newestArchives,
} from '../../core/active-ledger/archive.ts'
import { ARCHIVE_FOLDER } from '../../core/active-ledger/places.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import type { Active, ActiveContext } from './active-file.ts'
import { nowOf } from './active-file.ts'

/** Digits of the hash in the name; more are used if another text already has the name. */
const DIGITS = [4, 12, 64]

/**
 * Returns the archive's path. `wasThere`: the newest archive already has exactly this text, so no new one was written.
 * Throws `FILE_UNWRITABLE` if the archive on disk differs from what was written.
 */
export async function archiveActive(
  context: ActiveContext,
  { text: unredacted, ledger }: Active,
  trigger: Trigger,
) {
  const { repository, secrets } = context.session
  const { redact } = await secrets()
  const [text, session] = [redact(unredacted), ledger.session_id]
  // A compaction that keeps failing is reported again and again.
  const same = await findArchive(context, (one) => isArchiveOf(one, text, session, trigger))
  if (same !== undefined) return { path: same, wasThere: true }
  const about = { at: nowOf(context), trigger }
  const archived = archiveText(text, session, about)
  for (const digits of DIGITS) {
    const path = `${ARCHIVE_FOLDER}/${archiveName(archived, about, digits)}`
    await repository.worktree.create(path, archived)
    const written = await repository.worktree.read(path)
    if (written !== undefined && Buffer.from(archived).equals(written)) {
      await removeOld(context)
      return { path, wasThere: false }
    }
  }
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `the archive in ${ARCHIVE_FOLDER} could not be read back as it was written; the active ledger is unchanged`,
    'check the disk, then run the command again',
  )
}

/** The path of the newest archive, if it is the wanted one. */
async function findArchive(
  { session }: ActiveContext,
  isMeant: (archive: string) => boolean,
): Promise<string | undefined> {
  for (const name of newestArchives(session.personal.list(ARCHIVE_FOLDER))) {
    const path = `${ARCHIVE_FOLDER}/${name}`
    const bytes = await session.repository.worktree.read(path)
    if (bytes !== undefined && isMeant(Buffer.from(bytes).toString('utf8'))) return path
  }
  return undefined
}

/** Removes archives older than `active_ledger.archive_retention`; files that git tracks stay, whatever their age. */
async function removeOld(context: ActiveContext): Promise<void> {
  const { session, settings } = context
  const { activeLedgerKeepMillis: keep } = settings
  if (keep === undefined) return
  const cut = instantFromMillis(Math.max(0, session.clock.now() - keep))
  const old = session.personal.list(ARCHIVE_FOLDER).filter((name) => {
    const at = archivedAt(name)
    return at !== undefined && at < cut
  })
  if (old.length === 0) return
  const { index, worktree } = session.repository
  const tracked = new Set((await index.list(ARCHIVE_FOLDER)).map(({ path }) => nameToText(path)))
  for (const name of old) {
    const path = `${ARCHIVE_FOLDER}/${name}`
    if (!tracked.has(path)) await worktree.remove(textToName(path))
  }
}
