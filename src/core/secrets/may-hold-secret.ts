/**
 * A quick test whether a text may contain a secret at all. It is made for megabytes of logs with next to no secrets: a
 * few passes over the raw text, escapes included, instead of parsing it. It also avoids loading the detector for
 * ordinary events.
 *
 * The test is a necessary condition (checked by a property test): if it returns false, the detector finds nothing and
 * redaction leaves the text unchanged. It therefore returns true for every escape that could hide a letter, and skips
 * escapes between a name and its value.
 */

import { LIBRARY_RULES } from './library-kinds.ts'
import { KEY, PASSWORD, SPOKEN_WORDS, phrasing, SUFFIX } from './named-secrets.ts'
import { SHAPE_KEYWORDS } from './secret-shapes.ts'

/** What may be between a name and its value: white space and quotes, with any level of escaping. */
const BETWEEN = '[\\s\\\\"\'`*nrtbf]*'
/** White space with any level of escaping. */
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
  new RegExp(`(?:${SPOKEN_WORDS})${phrasing(WHITE)}[*\\\\"'\`“„‚‘«]`, 'i'),
  // `user` / `password`
  /`(?:\s|\\+[nrt])?\\*\/(?:\s|\\+[nrt])?`/,
  new RegExp(`--[\\w-]{0,40}${NAME}[\\s\\\\]`, 'i'),
  new RegExp(`authorization${BETWEEN}[=:]|bearer[\\s\\\\]`, 'i'),
  /:\/\/[^\s/?#@:"'`<>\\]{0,256}:[^\s/@"'`<>\\]{4,256}@/,
]

export function mayHoldSecret(text: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(text))
}
