/** Where the active ledger and its archives are, from the top of a worktree. */

export const ACTIVE_FOLDER = 'conductor/sessions/active'
export const ACTIVE_NAME = 'LEDGER.md'
export const ACTIVE_FILE = `${ACTIVE_FOLDER}/${ACTIVE_NAME}`
export const ARCHIVE_FOLDER = 'conductor/sessions/archive'
