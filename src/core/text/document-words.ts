/**
 * Texts in documents that are read back. Characters that would start Markdown syntax are escaped, and reading restores
 * the exact text. Words that people wrote into such a document are read by the same rules.
 */

import { BLOCK_HTML, BLOCK_START, mapOutsideCode } from './escape-markdown.ts'

/** Backslashes before anything that would start a block. A leading bar would start a table, colons a container. */
const START = new RegExp(`^(\\\\*)(?=\\||:::|${BLOCK_START})`)
const NUMBER = /^(\d{1,9})(\\*)(?=[.)](?:\s|$))/

/** One line as the words of an item or paragraph that starts no block, for documents that are read back. */
export function escapeWords(text: string): string {
  return escapeTags(text)
    .replace(START, (slashes) => escapeSlashes(slashes))
    .replace(NUMBER, (_, digits: string, slashes: string) => digits + escapeSlashes(slashes))
}

/** Reverses `escapeWords`; words that people wrote are returned as Markdown has them. */
export function readWords(words: string): string {
  return readTags(
    words
      .replace(START, (slashes) => readSlashes(slashes))
      .replace(NUMBER, (_, digits: string, slashes: string) => digits + readSlashes(slashes)),
  )
}

/** Escapes HTML blocks and comments outside code. */
export function escapeTags(text: string): string {
  return mapOutsideCode(text, (plain) =>
    plain.replace(BLOCK_HTML, (_, slashes: string) => `${escapeSlashes(slashes)}<`),
  )
}

export function readTags(text: string): string {
  return mapOutsideCode(text, (plain) =>
    plain.replace(BLOCK_HTML, (_, slashes: string) => `${readSlashes(slashes)}<`),
  )
}

/** Doubles the backslashes before a character and adds one for the character, so that none is lost in reading. */
export function escapeSlashes(slashes: string): string {
  return `${slashes}${slashes}\\`
}

/** An even number of backslashes does not come from `escapeSlashes` and is left unchanged. */
export function readSlashes(slashes: string): string {
  return slashes.length % 2 === 1 ? slashes.slice((slashes.length + 1) / 2) : slashes
}
