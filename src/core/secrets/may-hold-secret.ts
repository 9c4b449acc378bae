/**
 * Can this text hold a secret at all? Made for megabytes of a log, of which next to nothing holds one: a few
 * passes over the text as it is, escapes and all, in place of parsing it. It also spares an ordinary event the
 * loading of the detector.
 *
 * A necessary condition, tested as a law: in a text that this says no to the detector finds nothing, and
 * redaction leaves it as it is. So it says yes to every escape that could hide a letter, and passes over those
 * that stand between two.
 */

import { LIBRARY_RULES } from './library-kinds.ts'
import { KEY, PASSWORD, SAYABLE, saying, SUFFIX } from './named-secrets.ts'
import { SHAPE_KEYWORDS } from './secret-shapes.ts'

/** What may stand between a name and its value: white space and quotes, however often they were escaped. */
const BETWEEN = '[\\s\\\\"\'`*nrtbf]*'
/** As it is, or escaped however often. */
const WHITE = '(?:\\s|\\\\+[nrt])'
const NAME = `(?:${PASSWORD}|${KEY})${SUFFIX}`

const KEYWORDS = [
  ...SHAPE_KEYWORDS,
  ...Object.values(LIBRARY_RULES).flatMap(({ keywords }) => keywords),
].map((word) => word.replace(/[^\w ]/g, '\\$&'))

const PATTERNS = [
  new RegExp(KEYWORDS.join('|')),
  // A letter as `\u002d`, a slash as `\/`.
  /\\[u/]/,
  new RegExp(`${NAME}${BETWEEN}[=:：]`, 'i'),
  new RegExp(`(?:${SAYABLE})${saying(WHITE)}[*\\\\"'\`“„‚‘«]`, 'i'),
  // `user` / `password`
  /`(?:\s|\\+[nrt])?\\*\/(?:\s|\\+[nrt])?`/,
  new RegExp(`--[\\w-]{0,40}${NAME}[\\s\\\\]`, 'i'),
  new RegExp(`authorization${BETWEEN}[=:]|bearer[\\s\\\\]`, 'i'),
  /:\/\/[^\s/?#@:"'`<>\\]{0,256}:[^\s/@"'`<>\\]{4,256}@/,
]

export function mayHoldSecret(text: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(text))
}
