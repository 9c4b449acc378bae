/** Files that exist but may not be read: one such file must not stop the work on the others. */

import { LedgerError } from '../../core/errors/errors.ts'
import type { ByteName } from '../../core/git/objects.ts'
import type { WorktreePort } from '../ports.ts'

/** Undefined if there is no such file. */
export async function bytesOrUnreadable(
  worktree: Pick<WorktreePort, 'readBytesName'>,
  path: ByteName,
): Promise<Uint8Array | 'unreadable' | undefined> {
  try {
    return await worktree.readBytesName(path)
  } catch (error) {
    if (error instanceof LedgerError && error.code === 'FILE_UNREADABLE') return 'unreadable'
    throw error
  }
}
