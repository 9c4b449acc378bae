/** A command as shown to a person: complete, wrapped, and free of terminal control sequences. */

import { createHash } from 'node:crypto'
import { escapeUnits } from '../text/escape-units.ts'

const WIDTH = 76
/** A long run of spaces may push text out of sight. */
const BLANKS = / {3,}/g

/**
 * Printable ASCII is shown as it is. Everything else is escaped, including letters of other scripts that look like
 * ASCII. If anything is escaped, backslashes are doubled, so that no text can pass for an escape.
 */
export function shownCommand(command: string): string[] {
  const isPlain = /^[ -~]*$/.test(command) && command.search(BLANKS) === -1
  const escaped = command
    .replaceAll('\\', '\\\\')
    .replace(BLANKS, (blanks) => '\\u0020'.repeat(blanks.length))
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  const text = isPlain ? command : escapeUnits(escaped, /[^ -~]/g)
  return text.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? ['']
}

/** A different command or folder has a different key. */
export function consentKey(command: string, folder: string): string {
  const text = JSON.stringify([folder, command])
  return createHash('sha256').update(text).digest('hex')
}
