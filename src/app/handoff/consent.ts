/**
 * Whether a command from a committed file may run: only after a person has agreed on the terminal to exactly this text
 * in exactly this folder (docs/handoffs.md, Consent).
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { FilesPort } from '../ports.ts'
import { consentKey, shownCommand } from '../../core/handoff/shown-command.ts'

export interface ConsentContext {
  readonly files: FilesPort
  readonly commonDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** True in an agent's environment, or in a descendant of its process. */
  readonly isAgent: boolean
  /** Shows lines on the terminal and asks there; undefined if there is no terminal. */
  askOnTerminal(lines: readonly string[], question: string): Promise<boolean | undefined>
}

/** Throws `CONSENT_NEEDED`. `yes`: given on the command line. */
export async function requireConsent(
  context: ConsentContext,
  command: string,
  folder: string,
  yes: boolean,
): Promise<void> {
  const { files, commonDir, env, isAgent } = context
  const path = `${commonDir}/ledger-git/consent`
  const key = consentKey(command, folder)
  const known = (files.read(path) ?? '').split('\n').filter((line) => line !== '')
  const shown = shownCommand(command)
  if (command.includes('\0')) throw refused('the command holds a NUL and cannot run', shown, folder)
  if (known.includes(key) || env['LEDGER_GIT_RUN_TESTS'] === '1') return
  if (isAgent) {
    const why = yes
      ? '--yes counts from a person only, and this is an agent'
      : 'an agent cannot say yes to it'
    throw refused(why, shown, folder)
  }
  if (!yes) {
    const { length } = command
    const lines = [
      `This command comes from a file of the repository. It runs in ${shownCommand(folder).join('')}`,
      ...shown.map((line) => `  ${line}`),
    ]
    const answer = await context.askOnTerminal(lines, `Run these ${length} characters?`)
    if (answer === undefined) throw refused('there is no terminal to ask on', shown, folder)
    if (!answer) throw refused('the answer was no', shown, folder)
  }
  files.write(path, `${[...known.slice(-MAX_KEPT), key].join('\n')}\n`, 0o600)
}

const MAX_KEPT = 500

function refused(why: string, shown: readonly string[], folder: string): LedgerError {
  const text = shown.map((line) => `\n  ${line}`).join('')
  return new LedgerError(
    'CONSENT_NEEDED',
    `the command was not run: ${why}; it would run in ${shownCommand(folder).join('')}:${text}`,
    'a person should look at it, and run the same ledger-git command in a terminal of their own',
  )
}
