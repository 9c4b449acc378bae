/**
 * The expected failures of ledger-git, with their exit statuses.
 *
 * A `LedgerError` tells the user what happened, what was expected and which command to run next. Any other
 * thrown value is a bug and exits with 70. `docs/errors.md` says what each code means.
 */

import { shellWord } from '../text/shell-word.ts'

/** The exit status of each code. */
export const EXIT_STATUSES = {
  USAGE: 2,
  NOT_A_REPOSITORY: 3,
  NO_WORKTREE: 3,
  NOT_A_RIG: 2,
  GIT_MISSING: 3,
  CONFIG_BROKEN: 3,
  GIT_FAILED: 3,
  SETTINGS_INVALID: 2,
  FORMAT_TOO_NEW: 3,
  REVISION_UNKNOWN: 2,
  EVENT_INVALID: 2,
  SECRET_FOUND: 1,
  EVENT_NOT_FOUND: 1,
  EVENT_COMMITTED: 1,
  EVENT_LOST: 1,
  EVENTS_CONFLICT: 1,
  EVENTS_UNMERGED: 1,
  EVENTS_UNKNOWN: 1,
  CONTEXT_CHECKPOINT_NOT_FOUND: 1,
  CONTEXT_NOT_FOLLOWED: 1,
  WIP_NOT_FOUND: 1,
  HANDOFF_NOT_FOUND: 1,
  HANDOFF_EXISTS: 1,
  HANDOFF_UNREADABLE: 1,
  CONSENT_NEEDED: 1,
  CHECKPOINT_NOT_FOUND: 1,
  CHECKPOINT_UNREADABLE: 3,
  CHECKPOINTS_BLOCKED: 1,
  SESSION_NOT_FOUND: 1,
  SESSION_IN_USE: 1,
  ACTIVE_LEDGER_OFF: 1,
  ACTIVE_LEDGER_IN_USE: 1,
  ACTIVE_LEDGER_UNREADABLE: 3,
  MODE_LOCKED: 1,
  PLAN_UNREADABLE: 1,
  SHARD_IN_THE_WAY: 1,
  RALPH_PROMPT_MISSING: 1,
  RALPH_RUNNING: 1,
  COMMAND_MISSING: 3,
  TRACKER_MISSING: 1,
  OBJECT_MISSING: 3,
  COMMIT_SKIPPED: 1,
  BUSY: 1,
  INDEX_BUSY: 1,
  LOCKED: 1,
  CONFIRMATION_NEEDED: 1,
  AGENT_SETTINGS: 1,
  FILE_UNREADABLE: 3,
  FILE_UNWRITABLE: 3,
  PACKAGE_IN_ARCHIVE: 3,
  PORT_IN_USE: 3,
  SYSTEM_LIMIT: 3,
  INTERRUPTED: 130,
} as const

export type ErrorCode = keyof typeof EXIT_STATUSES

/** An expected failure. `message` says what failed and where, `next` the command or step that helps. */
export class LedgerError extends Error {
  readonly code: ErrorCode
  readonly next: string | undefined

  constructor(code: ErrorCode, message: string, next?: string) {
    super(message)
    this.name = 'LedgerError'
    this.code = code
    this.next = next
  }

  get exitCode(): number {
    return EXIT_STATUSES[this.code]
  }
}

/** For a file that somebody put where a lock belongs. */
export function fileInTheWay(lock: string): LedgerError {
  const what = `${lock} is in the way: the lock of ledger-git is a folder of that name`
  return new LedgerError('FILE_UNWRITABLE', what, `rm ${shellWord(lock)}`)
}

/** The command line is wrong: an unknown word, a missing one, or a value that makes no sense. */
export function usage(message: string, next?: string): LedgerError {
  return new LedgerError('USAGE', message, next)
}

/** Git's configuration cannot be read. `ownFile`: the broken file's path, if `install` wrote that file. */
export class BrokenConfig extends LedgerError {
  readonly ownFile: string | undefined

  constructor(message: string, next: string, ownFile: string | undefined) {
    super('CONFIG_BROKEN', message, next)
    this.ownFile = ownFile
  }
}
