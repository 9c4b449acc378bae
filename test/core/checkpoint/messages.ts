/**
 * Commit messages made of the lines that trailer rules are about; also compared with git itself.
 */

import * as fc from 'fast-check'

export const LINES = [
  '',
  '',
  ' ',
  'fix the parser',
  'fix: a title that could be a trailer',
  'Signed-off-by: Ada <ada@example.com>',
  'Signed-off-by:Ada',
  '(cherry picked from commit 0123456789abcdef0123456789abcdef01234567)',
  'Change-Id: I0123',
  'Co-authored-by: Bob <bob@example.com>',
  'Ledger-Checkpoint: 0123456789ab',
  'Ledger-Checkpoint: ba9876543210',
  'Ledger-Checkpoint: 0123456789AB',
  'ledger-checkpoint : 0123456789ab  ',
  'Key\t: spaced',
  'No separator here',
  'BREAKING CHANGE: two words',
  'Empty:',
  ': no token',
  'https://example.com/a:b',
  ' folded',
  '\tfolded too',
  '# comment',
  '#Ledger-Checkpoint: 0123456789ab',
  '; other comment',
  '---',
  '--- a/file',
  'Conflicts:',
  '# ------------------------ >8 ------------------------',
  '------------------------ >8 ------------------------',
  'Schlüssel: ß',
]

const anyLine = fc.constantFrom(...LINES)

/** Mostly LF, sometimes CRLF; with and without a final line break. */
export const anyMessage = fc
  .tuple(fc.array(anyLine, { maxLength: 10 }), fc.constantFrom('\n', '\n', '\r\n'), fc.boolean())
  .map(([lines, newline, isClosed]) => lines.join(newline) + (isClosed ? newline : ''))
