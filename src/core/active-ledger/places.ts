/** Paths of the active ledger and its archives, relative to the top of a worktree. */

export const ACTIVE_FOLDER = 'conductor/sessions/active'
export const ACTIVE_NAME = 'LEDGER.md'
export const ACTIVE_FILE = `${ACTIVE_FOLDER}/${ACTIVE_NAME}`
export const ARCHIVE_FOLDER = 'conductor/sessions/archive'
