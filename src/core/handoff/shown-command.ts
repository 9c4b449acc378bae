/** A command as a person is shown it: whole, on lines of a width, and nothing in it acts on a terminal. */

import { createHash } from 'node:crypto'
import { escapeUnits } from '../text/escape-units.ts'

const WIDTH = 76
/** A blank that many others stand beside may push text out of sight. */
const BLANKS = / {3,}/g

/**
 * Printable ASCII as it is; all else, letters of other scripts that look alike too, as an escape. Where
 * something is escaped, backslashes are doubled, so that no text can pretend to be an escape.
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

/** Another text or another folder is another key. */
export function consentKey(command: string, folder: string): string {
  const text = JSON.stringify([folder, command])
  return createHash('sha256').update(text).digest('hex')
}
