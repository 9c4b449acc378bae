/**
 * Values as YAML on one line, in a form that Markdown and YAML formatters leave alone: plain if no reader can
 * misread the words, else in the kind of quotes that needs no escapes (docs/decisions/0020).
 */

import { escapeUnits } from '../text/escape-units.ts'

/** A value as JSON on one line, which is also YAML. Control characters and YAML's other line breaks are escaped. */
export function quote(value: unknown): string {
  return escapeUnits(JSON.stringify(value), /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g)
}

/** Words that YAML 1.1 or 1.2 readers do not read as strings. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** Words separated by single spaces, of characters without a meaning in YAML or Markdown. */
const WORDS = /^[A-Za-z0-9_(/.][A-Za-z0-9_./()+@=,;-]*(?: [A-Za-z0-9_./()+@=,;-]+)*$/
const NUMBER =
  /^(?:0x[\da-f_]+|0o[0-7_]+|0b[01_]+|(?=\.?\d)[\d_]*\.?[\d_]*(?:e[+-]?\d+)?|\.inf|\.nan)$/i
const DATE = /^\d{4}-\d\d?-\d\d?$/
/** Control characters, other line breaks, non-characters: on one line they are only possible as JSON escapes. */
const NEEDS_ESCAPE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|^\s|\s$/

/** True for a text that needs no quotes. */
export function isPlain(text: string): boolean {
  if (!WORDS.test(text) || ',;='.includes(text.at(-1) ?? '')) return false
  if (text.length <= 5 && RESERVED.test(text)) return false
  const isLetterFirst = text > ':' // digits and the dot sort before it
  return isLetterFirst || !(NUMBER.test(text) || DATE.test(text))
}

/** A string as a YAML scalar. Lone surrogates become U+FFFD. */
export function scalar(text: string): string {
  if (isPlain(text)) return text
  const value = text.toWellFormed()
  if (NEEDS_ESCAPE.test(value)) return quote(value)
  return /["\\]/.test(value) ? `'${value.replaceAll("'", "''")}'` : `"${value}"`
}
