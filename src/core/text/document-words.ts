/**
 * Texts in documents that are read back: escaped as Markdown has it where they would open something, and
 * given back to the character. Words that people wrote into such a document are read by the same rule.
 */

import { BLOCK_HTML, BLOCK_START, mapOutsideCode } from './escape-markdown.ts'

/** Backslashes before what would open a block; a bar at the start would begin a table, colons a container. */
const START = new RegExp(`^(\\\\*)(?=\\||:::|${BLOCK_START})`)
const NUMBER = /^(\d{1,9})(\\*)(?=[.)](?:\s|$))/

/** One line as the words of an item or a paragraph that opens nothing, for documents that are read back. */
export function escapeWords(text: string): string {
  return escapeTags(text)
    .replace(START, (slashes) => escapeSlashes(slashes))
    .replace(NUMBER, (_, digits: string, slashes: string) => digits + escapeSlashes(slashes))
}

/** What `escapeWords` was given; words that people wrote as Markdown has them. */
export function readWords(words: string): string {
  return readTags(
    words
      .replace(START, (slashes) => readSlashes(slashes))
      .replace(NUMBER, (_, digits: string, slashes: string) => digits + readSlashes(slashes)),
  )
}

/** Outside of code no block of HTML, and no comment. */
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

/** Backslashes that stand before a sign are doubled, and one is for the sign: none is lost in reading. */
export function escapeSlashes(slashes: string): string {
  return `${slashes}${slashes}\\`
}

/** An even number does not come from `escapeSlashes`, and stays. */
export function readSlashes(slashes: string): string {
  return slashes.length % 2 === 1 ? slashes.slice((slashes.length + 1) / 2) : slashes
}
