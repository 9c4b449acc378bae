/**
 * The expected failures of ledger-git, with their exit statuses.
 *
 * A `LedgerError` is an answer to the user: what happened, what was expected and the next command.
 * Anything else that is thrown is a bug and exits with 70. `docs/errors.md` has one row per code.
 */

/** What each code means, how it exits and what a user does about it (source of `docs/errors.md`). */
export const ERROR_CODES = {
  USAGE: { exit: 2, meaning: 'Invalid arguments.' },
  NOT_A_REPOSITORY: { exit: 3, meaning: 'The current folder is not inside a git repository.' },
  NO_WORKTREE: { exit: 3, meaning: 'The command needs a worktree; this is a bare repository.' },
  NOT_A_RIG: { exit: 2, meaning: 'The folder given with `--gastown` is not a Gas Town rig.' },
  GIT_MISSING: { exit: 3, meaning: 'The `git` program could not be started.' },
  CONFIG_BROKEN: { exit: 3, meaning: 'Git cannot read its configuration, and does nothing here.' },
  GIT_FAILED: { exit: 3, meaning: 'A git command failed; its own message is shown.' },
  SETTINGS_INVALID: {
    exit: 2,
    meaning:
      '`.ledger-git.yaml` has an unknown key, a bad value or a key twice, or is no regular file.',
  },
  FORMAT_TOO_NEW: {
    exit: 3,
    meaning: '`current.md` was written by a newer release in a format this one cannot render.',
  },
  REVISION_UNKNOWN: { exit: 2, meaning: 'The name is not a commit of this repository.' },
  EVENT_INVALID: { exit: 2, meaning: 'The event cannot be written as it was given.' },
  SECRET_FOUND: { exit: 1, meaning: 'The text of the event seems to hold a secret.' },
  EVENT_NOT_FOUND: { exit: 1, meaning: 'No event has that file name here.' },
  EVENT_COMMITTED: { exit: 1, meaning: 'A commit holds the event: it cannot be dropped any more.' },
  EVENT_LOST: { exit: 1, meaning: 'Nothing here has the text that the event was written with.' },
  EVENTS_CONFLICT: {
    exit: 1,
    meaning: 'Both sides changed the same file in `events/`; a person must choose.',
  },
  EVENTS_UNMERGED: { exit: 1, meaning: 'The index holds unmerged paths in `events/`.' },
  EVENTS_UNKNOWN: {
    exit: 1,
    meaning: 'The `events/` tree of one side of the merge could not be found.',
  },
  CONTEXT_CHECKPOINT_NOT_FOUND: {
    exit: 1,
    meaning: 'No context checkpoint of this branch or issue is here.',
  },
  CONTEXT_NOT_FOLLOWED: {
    exit: 1,
    meaning: 'Hooks do not follow how full the context is in this clone.',
  },
  WIP_NOT_FOUND: {
    exit: 1,
    meaning: 'HEAD is no commit of work in progress that can be taken back.',
  },
  HANDOFF_NOT_FOUND: { exit: 1, meaning: 'No handoff has that name, or none is clearly meant.' },
  HANDOFF_EXISTS: { exit: 1, meaning: 'A handoff of that name is there already.' },
  HANDOFF_UNREADABLE: { exit: 1, meaning: 'The handoff cannot be changed in the state it is in.' },
  CONSENT_NEEDED: { exit: 1, meaning: 'A person has to look at the command before it may run.' },
  CHECKPOINT_NOT_FOUND: { exit: 1, meaning: 'No checkpoint has that id here.' },
  CHECKPOINT_UNREADABLE: {
    exit: 3,
    meaning: 'A newer release wrote the checkpoint, or its files are damaged.',
  },
  CHECKPOINTS_BLOCKED: {
    exit: 1,
    meaning: 'The checkpoints branch is checked out, or cannot be moved for another reason.',
  },
  SESSION_NOT_FOUND: { exit: 1, meaning: 'No session has that id here.' },
  SESSION_IN_USE: {
    exit: 1,
    meaning: 'The session is at work, or something of it exists nowhere else.',
  },
  ACTIVE_LEDGER_OFF: { exit: 1, meaning: 'The active ledger is switched off in the settings.' },
  ACTIVE_LEDGER_IN_USE: {
    exit: 1,
    meaning: 'The active ledger belongs to another session, which is at work.',
  },
  ACTIVE_LEDGER_UNREADABLE: {
    exit: 3,
    meaning: 'The active ledger is no file of UTF-8 text; it stays as it is.',
  },
  MODE_LOCKED: { exit: 1, meaning: 'The mode of a session does not change while it lasts.' },
  PLAN_UNREADABLE: {
    exit: 1,
    meaning: 'The plan is not there, or is nothing that can be read as one.',
  },
  SHARD_IN_THE_WAY: {
    exit: 1,
    meaning: 'Where a shard belongs stands a file that is not ours, or was changed since.',
  },
  RALPH_PROMPT_MISSING: { exit: 1, meaning: 'The prompt of the loop is not there, or empty.' },
  RALPH_RUNNING: { exit: 1, meaning: 'A loop runs in this worktree already.' },
  COMMAND_MISSING: { exit: 3, meaning: "The loop's command could not be started." },
  TRACKER_MISSING: { exit: 1, meaning: 'No issue tracker is set up.' },
  OBJECT_MISSING: { exit: 3, meaning: 'The repository lacks an object that it names.' },
  COMMIT_SKIPPED: { exit: 1, meaning: "The ledger's own commit was not safe to make just now." },
  BUSY: { exit: 1, meaning: 'A merge, rebase or another sequence of git is in progress.' },
  INDEX_BUSY: { exit: 1, meaning: 'Another git command holds the index.' },
  LOCKED: { exit: 1, meaning: 'Another ledger-git is writing the ledger.' },
  CONFIRMATION_NEEDED: { exit: 1, meaning: 'The question was answered with no.' },
  AGENT_SETTINGS: {
    exit: 1,
    meaning: "An agent's settings file is not one that hooks can be added to; it stays as it is.",
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
      "The package lies in an archive (Yarn Plug'n'Play), out of which git's hooks cannot start it.",
  },
  PORT_IN_USE: { exit: 3, meaning: 'The dashboard cannot listen on the port that was asked for.' },
  SYSTEM_LIMIT: { exit: 3, meaning: 'The system has run out of open files, processes or memory.' },
  INTERRUPTED: { exit: 130, meaning: 'A question was answered with Control-C or Control-D.' },
} as const satisfies Record<string, { exit: number; meaning: string }>

export type ErrorCode = keyof typeof ERROR_CODES

/** An expected failure: `message` says what and where, `next` the command or step that helps. */
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

/** The words of a command line, or what they say, cannot be meant. */
export function usage(message: string, next?: string): LedgerError {
  return new LedgerError('USAGE', message, next)
}

/** Git's configuration cannot be read. `ownFile`: the path of it, where `install` wrote that file. */
export class BrokenConfig extends LedgerError {
  readonly ownFile: string | undefined

  constructor(message: string, next: string, ownFile: string | undefined) {
    super('CONFIG_BROKEN', message, next)
    this.ownFile = ownFile
  }
}
