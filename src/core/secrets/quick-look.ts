/**
 * Does anything in this text call for a real look? Made for megabytes of a log, of which next to nothing
 * holds a secret: a few passes over the text as it is, escapes and all, in place of parsing it.
 *
 * A necessary condition, tested as a law: a text that this says no to is left by redaction as it is. So it
 * says yes to every escape that could hide a letter, and passes over those that stand between two.
 */

import { KEY, PASSWORD, SUFFIX } from './named-secrets.ts'

/** What may stand between a name and its value: white space and quotes, however often they were escaped. */
const BETWEEN = '[\\s\\\\"\'`nrtbf]*'
const NAME = `(?:${PASSWORD}|${KEY})${SUFFIX}`

const CONTEXTS = [
  // A letter as `\u002d`, a slash as `\/`.
  /\\[u/]/,
  new RegExp(`${NAME}${BETWEEN}[=:]`, 'i'),
  new RegExp(`--[\\w-]{0,40}${NAME}[\\s\\\\]`, 'i'),
  new RegExp(`authorization${BETWEEN}[=:]|bearer[\\s\\\\]`, 'i'),
  /:\/\/[^\s/?#@:"'`<>\\]{0,256}:[^\s/@"'`<>\\]{4,256}@/,
]

/** `keywords`: without one of them, no secret is found by its shape. */
export function quickLook(keywords: readonly string[]): (text: string) => boolean {
  const words = keywords.map((word) => word.replace(/[^\w ]/g, '\\$&'))
  const patterns = [new RegExp(words.join('|')), ...CONTEXTS]
  return (text) => patterns.some((pattern) => pattern.test(text))
}
