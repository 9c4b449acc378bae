/** What every entry point does around its work: exit statuses, messages, signals. */

import type { LedgerError } from '../core/errors/errors.ts'
import { EXIT_STATUSES } from '../core/errors/errors.ts'
import { stripControlChars } from '../core/text/strip-control-chars.ts'
import { talk } from '../io/terminal/talk.ts'

/**
 * For commands that people run: a closed pipe (`| head`) is not an error, and Control-C exits with 130. Not for what
 * git runs, which writes no data: opening standard output would cost it milliseconds.
 */
export function watchTerminal(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    sayUnwritten(error)
  })
  // There is nobody left to tell.
  process.stderr.on('error', () => {})
  process.on('SIGINT', () => process.exit(130))
}

let isUnwritten = false

/** Reported once; the work goes on, so that nothing is left half done. */
function sayUnwritten({ code }: NodeJS.ErrnoException): void {
  if (isUnwritten) return
  isUnwritten = true
  process.stderr.write(`ledger-git: standard output could not be written (${code})\n`)
  process.exitCode = EXIT_STATUSES.FILE_UNWRITABLE
}

/** Prints the usage line if the words do not fit it. Returns status 0 if `--help` asked for it, else 2. */
export function printUsage([word]: readonly string[], usage: string): 0 | 2 {
  const isAsked = word === '--help'
  ;(isAsked ? process.stdout : process.stderr).write(`usage: ledger-git ${usage}\n`)
  return isAsked ? 0 : 2
}

/** Runs `main` with the words of the command line; its answer is the process's exit status. */
export async function runProcess(
  main: (words: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    const status = await main(process.argv.slice(2))
    if (!isUnwritten) process.exitCode = status
  } catch (error) {
    process.exitCode = reportError(error, talk)
  }
}

/** The error of `process.cwd()` after another process has removed the folder. */
const GONE = {
  what: 'the current folder no longer exists',
  next: 'change to another folder (cd)',
  exit: EXIT_STATUSES.NOT_A_REPOSITORY,
}
const LIMIT = {
  what: 'a system limit was reached',
  next: 'raise the limit (ulimit -n), or end other programs, then run the command again',
  exit: EXIT_STATUSES.SYSTEM_LIMIT,
}
const FULL = {
  what: 'the disk is full',
  next: 'free some space, then run the command again',
  exit: EXIT_STATUSES.FILE_UNWRITABLE,
}

/** Errors of the operating system, which are not bugs of ledger-git. */
const REFUSALS: Readonly<Record<string, typeof LIMIT>> = {
  EMFILE: LIMIT,
  ENFILE: LIMIT,
  ENOMEM: LIMIT,
  EAGAIN: LIMIT,
  ENOSPC: FULL,
  EDQUOT: FULL,
}

/** Prints an error for people; returns the exit status. */
export function reportError(error: unknown, print: (text: string) => void): number {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (code === 'EPIPE') return 0
  if (error instanceof Error && error.name === 'LedgerError') {
    const { code, message, next, exitCode } = error as LedgerError
    // The message repeats what was typed, which may be a whole file that a script put there.
    const said = code === 'USAGE' ? message.replaceAll(/(\S{200})\S+/g, '$1…') : message
    const text = `ledger-git: ${said}\n${next === undefined ? '' : `  next: ${next}\n`}`
    print(stripControlChars(text))
    return exitCode
  }
  const refusal = syscall === 'uv_cwd' ? GONE : REFUSALS[String(code)]
  if (refusal !== undefined) {
    print(`ledger-git: ${refusal.what}: ${(error as Error).message}\n  next: ${refusal.next}\n`)
    return refusal.exit
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  print(
    `ledger-git: this is a bug in ledger-git; please report it to its maintainers with these lines:\n${detail}\n`,
  )
  return 70
}
