/**
 * The expected failures of ledger-git, with their exit statuses.
 *
 * A `LedgerError` tells the user what happened, what was expected and which command to run next. Any other
 * thrown value is a bug and exits with 70. `docs/errors.md` has one row per code.
 */

import { shellWord } from '../text/shell-word.ts'

/** The meaning and exit status of each code (source of the table in `docs/errors.md`). */
export const ERROR_CODES = {
  USAGE: { exit: 2, meaning: 'Invalid arguments.' },
  NOT_A_REPOSITORY: { exit: 3, meaning: 'The current folder is not inside a git repository.' },
  NO_WORKTREE: { exit: 3, meaning: 'The command needs a worktree; this is a bare repository.' },
  NOT_A_RIG: { exit: 2, meaning: 'The folder given with `--gastown` is not a Gas Town rig.' },
  GIT_MISSING: { exit: 3, meaning: 'The `git` program could not be started.' },
  CONFIG_BROKEN: {
    exit: 3,
    meaning: 'Git cannot read its configuration, so no git command works here.',
  },
  GIT_FAILED: { exit: 3, meaning: 'A git command failed; its own message is shown.' },
  SETTINGS_INVALID: {
    exit: 2,
    meaning:
      '`.ledger-git.yaml` has an unknown key, a bad value or a duplicate key, or is not a regular file.',
  },
  FORMAT_TOO_NEW: {
    exit: 3,
    meaning: '`current.md` was written by a newer release in a format this one cannot render.',
  },
  REVISION_UNKNOWN: { exit: 2, meaning: 'The name is not a commit of this repository.' },
  EVENT_INVALID: { exit: 2, meaning: 'The event cannot be written as given.' },
  SECRET_FOUND: { exit: 1, meaning: 'The text of the event seems to contain a secret.' },
  EVENT_NOT_FOUND: { exit: 1, meaning: 'No event here has that file name.' },
  EVENT_COMMITTED: {
    exit: 1,
    meaning: 'A commit holds the event, so it can no longer be dropped.',
  },
  EVENT_LOST: { exit: 1, meaning: "The event's original text cannot be found here." },
  EVENTS_CONFLICT: {
    exit: 1,
    meaning: 'Both sides changed the same file in `events/`; a person must choose.',
  },
  EVENTS_UNMERGED: { exit: 1, meaning: 'The index has unmerged paths in `events/`.' },
  EVENTS_UNKNOWN: {
    exit: 1,
    meaning: 'The `events/` tree of one side of the merge could not be found.',
  },
  CONTEXT_CHECKPOINT_NOT_FOUND: {
    exit: 1,
    meaning: 'There is no context checkpoint for this branch or issue here.',
  },
  CONTEXT_NOT_FOLLOWED: {
    exit: 1,
    meaning: 'Hooks do not track how full the context is in this clone.',
  },
  WIP_NOT_FOUND: {
    exit: 1,
    meaning: 'HEAD is not a work-in-progress commit that can be undone.',
  },
  HANDOFF_NOT_FOUND: {
    exit: 1,
    meaning: 'No handoff has that name, or it is not clear which one is meant.',
  },
  HANDOFF_EXISTS: { exit: 1, meaning: 'A handoff with that name already exists.' },
  HANDOFF_UNREADABLE: { exit: 1, meaning: 'The handoff cannot be changed in its current state.' },
  CONSENT_NEEDED: { exit: 1, meaning: 'A person must look at the command before it may run.' },
  CHECKPOINT_NOT_FOUND: { exit: 1, meaning: 'No checkpoint has that id here.' },
  CHECKPOINT_UNREADABLE: {
    exit: 3,
    meaning: 'A newer release wrote the checkpoint, or its files are damaged.',
  },
  CHECKPOINTS_BLOCKED: {
    exit: 1,
    meaning: 'The checkpoints branch is checked out, or cannot be updated for another reason.',
  },
  SESSION_NOT_FOUND: { exit: 1, meaning: 'No session has that id here.' },
  SESSION_IN_USE: {
    exit: 1,
    meaning: 'The session is active, or some of its data exists nowhere else.',
  },
  ACTIVE_LEDGER_OFF: { exit: 1, meaning: 'The active ledger is switched off in the settings.' },
  ACTIVE_LEDGER_IN_USE: {
    exit: 1,
    meaning: 'The active ledger belongs to another session, which is active.',
  },
  ACTIVE_LEDGER_UNREADABLE: {
    exit: 3,
    meaning: 'The active ledger is not a UTF-8 text file; it is left unchanged.',
  },
  MODE_LOCKED: { exit: 1, meaning: "A session's mode cannot change while the session lasts." },
  PLAN_UNREADABLE: {
    exit: 1,
    meaning: 'The plan does not exist or cannot be read as a plan.',
  },
  SHARD_IN_THE_WAY: {
    exit: 1,
    meaning:
      'A shard would overwrite a file that ledger-git did not write, or that was changed since.',
  },
  RALPH_PROMPT_MISSING: { exit: 1, meaning: "The loop's prompt file is missing or empty." },
  RALPH_RUNNING: {
    exit: 1,
    meaning: 'A loop, or the agent of a loop that was killed, is running in this worktree.',
  },
  COMMAND_MISSING: { exit: 3, meaning: "The loop's command could not be started." },
  TRACKER_MISSING: { exit: 1, meaning: 'No issue tracker is set up.' },
  OBJECT_MISSING: { exit: 3, meaning: 'The repository lacks an object that it refers to.' },
  COMMIT_SKIPPED: {
    exit: 1,
    meaning: "The ledger's own commit could not be made safely just now.",
  },
  BUSY: { exit: 1, meaning: 'A merge, rebase or another git sequence is in progress.' },
  INDEX_BUSY: { exit: 1, meaning: 'Another git command holds the index.' },
  LOCKED: { exit: 1, meaning: 'Another ledger-git process is writing the ledger.' },
  CONFIRMATION_NEEDED: { exit: 1, meaning: 'The question was answered with no.' },
  AGENT_SETTINGS: {
    exit: 1,
    meaning: "Hooks cannot be added to an agent's settings file; the file is left unchanged.",
  },
  FILE_UNREADABLE: {
    exit: 3,
    meaning: 'A file could not be read (permissions, a link to itself).',
  },
  FILE_UNWRITABLE: {
    exit: 3,
    meaning: 'A file, or standard output, could not be written (permissions, full disk).',
  },
  PACKAGE_IN_ARCHIVE: {
    exit: 3,
    meaning:
      "The package is in an archive (Yarn Plug'n'Play), from which git's hooks cannot start it.",
  },
  PORT_IN_USE: { exit: 3, meaning: 'The dashboard cannot listen on the requested port.' },
  SYSTEM_LIMIT: { exit: 3, meaning: 'The system has run out of open files, processes or memory.' },
  INTERRUPTED: { exit: 130, meaning: 'A question was answered with Control-C or Control-D.' },
} as const satisfies Record<string, { exit: number; meaning: string }>

export type ErrorCode = keyof typeof ERROR_CODES

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
    return ERROR_CODES[this.code].exit
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
