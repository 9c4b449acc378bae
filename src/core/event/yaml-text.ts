/**
 * Values as YAML on one line, in the form that Markdown and YAML formatters leave alone: plain where no
 * reader can mistake the words, else in the quotes that need no escape (docs/decisions/0020).
 */

import { escapeUnits } from '../text/escape-units.ts'

/** A value as JSON on one line, which is YAML too: controls and YAML's other line ends as escapes. */
export function quote(value: unknown): string {
  return escapeUnits(JSON.stringify(value), /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g)
}

/** Words that YAML 1.1 or 1.2 readers take for something else than a string. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** Words with single spaces, of characters that mean nothing to YAML or Markdown. */
const WORDS = /^[A-Za-z0-9_(/.][A-Za-z0-9_./()+@=,;-]*(?: [A-Za-z0-9_./()+@=,;-]+)*$/
const NUMBER =
  /^(?:0x[\da-f_]+|0o[0-7_]+|0b[01_]+|(?=\.?\d)[\d_]*\.?[\d_]*(?:e[+-]?\d+)?|\.inf|\.nan)$/i
const DATE = /^\d{4}-\d\d?-\d\d?$/
/** Controls, other line ends, non-characters: only JSON's escapes hold them on one line. */
const NEEDS_ESCAPE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|^\s|\s$/

/** True for text that stands without quotes. */
export function isPlain(text: string): boolean {
  if (!WORDS.test(text) || ',;='.includes(text.at(-1) ?? '')) return false
  if (text.length <= 5 && RESERVED.test(text)) return false
  const isLetterFirst = text > ':' // digits and the dot stand before
  return isLetterFirst || !(NUMBER.test(text) || DATE.test(text))
}

/** A string as a YAML scalar. Lone surrogates become U+FFFD. */
export function scalar(text: string): string {
  if (isPlain(text)) return text
  const value = text.toWellFormed()
  if (NEEDS_ESCAPE.test(value)) return quote(value)
  return /["\\]/.test(value) ? `'${value.replaceAll("'", "''")}'` : `"${value}"`
}
