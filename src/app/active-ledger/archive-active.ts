/** Archives of the active ledger: redacted, read back from disk before anything else happens, and kept. */

import type { Trigger } from '../../core/active-ledger/archive.ts'
import { archivedAt, archiveName, archiveText } from '../../core/active-ledger/archive.ts'
import { ARCHIVE_FOLDER } from '../../core/active-ledger/places.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { instantFromMillis } from '../../core/event/instant.ts'
import { nameToText, textToName } from '../../core/git/objects.ts'
import type { Active, ActiveContext } from './active-file.ts'
import { nowOf } from './active-file.ts'

/** More digits of the hash where another text has the name. */
const DIGITS = [4, 12, 64]

/** The archive's path. Throws `FILE_UNWRITABLE` where it is not on disk as it was written. */
export async function archiveActive(
  context: ActiveContext,
  { text, ledger }: Active,
  trigger: Trigger,
): Promise<string> {
  const { repository, secrets } = context.session
  const { redact } = await secrets()
  const about = { at: nowOf(context), trigger }
  const archived = archiveText(redact(text), ledger.session_id, about)
  for (const digits of DIGITS) {
    const path = `${ARCHIVE_FOLDER}/${archiveName(archived, about, digits)}`
    await repository.worktree.create(path, archived)
    const written = await repository.worktree.read(path)
    if (written !== undefined && Buffer.from(archived).equals(written)) {
      await removeOld(context)
      return path
    }
  }
  throw new LedgerError(
    'FILE_UNWRITABLE',
    `the archive in ${ARCHIVE_FOLDER} could not be read back as it was written; the active ledger is as it was`,
    'check the disk, then run the command again',
  )
}

/** After `active_ledger.archive_retention`; what git tracks stays, whatever its age. */
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
