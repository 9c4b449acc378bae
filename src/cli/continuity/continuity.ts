/** What the commands of the active ledger share: failures are only warnings, and answers have one shape. */

import type { ActiveContext } from '../../app/active-ledger/active-file.ts'
import { writerOf } from '../../app/active-ledger/active-file.ts'
import type { Changed } from '../../app/active-ledger/change-active.ts'
import { ACTIVE_FILE } from '../../core/active-ledger/places.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Command, Input, OpenWorktree } from '../command/command.ts'
import { flag } from '../command/command.ts'
import { safeText } from '../command/format.ts'

export interface Opened {
  readonly open: OpenWorktree
  readonly active: ActiveContext
}

type Definition = Omit<Command, 'run'> & {
  /** The exit status is the answer, so a failure has to show in it. */
  readonly isAnswer?: boolean
  run(input: Input, opened: Opened): Promise<number | void>
}

const STRICT = flag('exit with the status of the failure, not 0')

/**
 * A command that must not stop its caller: a failure is a warning with exit status 0, unless `--strict` is given.
 * A usage error is always an error.
 */
export function continuityCommand({
  run,
  options = {},
  isAnswer = false,
  ...about
}: Definition): Command {
  return {
    ...about,
    options: isAnswer ? options : { ...options, strict: STRICT },
    run: async (input) => {
      try {
        const opened = await openActive(input)
        const status = await run(input, opened)
        if (!isAnswer) await sayIfTaken(input, opened)
        return status
      } catch (error) {
        if (isAnswer) throw error
        return warnOnly(input, error)
      }
    },
  }
}

async function openActive(input: Input): Promise<Opened> {
  const open = await input.openWorktree()
  if (open.settings.activeLedger === 'off') {
    throw new LedgerError(
      'ACTIVE_LEDGER_OFF',
      'the active ledger is switched off here (active_ledger: off in .ledger-git.yaml)',
      'take that line out to use it',
    )
  }
  const session = await input.context.sessions()
  return { open, active: { session, settings: open.settings, writer: writerOf(session) } }
}

/** The active ledger is personal, but if `install` has not run, nothing keeps it out of a commit. */
async function sayIfTaken(input: Input, { open }: Opened): Promise<void> {
  const { worktree, place } = open.repository
  if (input.context.files.kind(`${place.commonDir}/ledger-git/run`) !== 'absent') return
  if ((await worktree.untracked(ACTIVE_FILE)).length === 0) return
  input.say(
    `ledger-git: git does not ignore ${ACTIVE_FILE}: a commit may take it along\n` +
      '  next: ledger-git install',
  )
}

function warnOnly(input: Input, error: unknown): number {
  if (!isFailure(error) || input.flag('strict')) throw error
  const { code, message, next } = error
  if (code === 'USAGE') throw error
  const step = next === undefined ? '' : `\n  next: ${next}`
  input.say(`ledger-git: warning: ${message}${step}`)
  if (input.json) input.print({ error: { code, message, next } }, [])
  return 0
}

/** One of our own errors, or one of the file system; anything else is a bug. */
function isFailure(error: unknown): error is Error & { code: string; next?: string } {
  return (
    error instanceof LedgerError || /^E[A-Z0-9]+$/.test(String((error as { code?: unknown }).code))
  )
}

/** The answer of a command that changed the ledger. */
export function printChanged(
  input: Input,
  { open }: Opened,
  changed: Changed,
  more: Readonly<Record<string, unknown>> = {},
): void {
  sayWhatCameFirst(input, open, changed)
  const { ledger, archived, isNew } = changed
  const path = open.fromHere(ACTIVE_FILE)
  input.print(
    { path, created: isNew, archived: shown(open, archived), ...more, ledger },
    safeText(path, 4096),
  )
}

export function sayWhatCameFirst(
  input: Input,
  { fromHere }: OpenWorktree,
  { archived, event }: Pick<Changed, 'archived' | 'event'>,
): void {
  if (event !== undefined) input.say(`ledger-git: told first: ${fromHere(event)}`)
  if (archived !== undefined) input.say(`ledger-git: archived first: ${fromHere(archived)}`)
}

export function shown({ fromHere }: OpenWorktree, path: string | undefined): string | null {
  return path === undefined ? null : fromHere(path)
}
