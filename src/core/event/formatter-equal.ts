/**
 * Decides whether two versions of an event file differ only by what a Markdown or YAML formatter changes.
 *
 * Formatters move white space and line breaks, change quotes, bullets, fences and emphasis marks, and escape text
 * that could be Markdown. They never change a letter, a digit or the order of words. So both texts are reduced to
 * lists of words without these marks, and the lists must be equal.
 */

/** `before`: the committed text. */
export function saysTheSame(before: string, after: string): boolean {
  const [was, is] = [wordsOf(before), wordsOf(after)]
  return was.length === is.length && was.every((word, i) => isSameWord(word, is[i]))
}

interface Word {
  readonly text: string
  /** The first word of its line. */
  readonly isFirst: boolean
}

const FENCE = /^\s*(?:`{3,}|~{3,})[\w -]*$/
/** `---`, `***`, `_ _ _`: the fence of front matter for us, a horizontal rule in Markdown. */
const RULE = /^\s*([-*_])(?:[ \t]*\1){2,}\s*$/
const BULLET = /^[-*+]$/

function wordsOf(text: string): Word[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .filter((line) => !FENCE.test(line))
    .map((line) => (RULE.test(line) ? '---' : line))
  return lines.flatMap((line) =>
    line
      .split(/[ \t]+/)
      .filter((word) => word !== '')
      .map((word, i) => ({ text: plain(word), isFirst: i === 0 }))
      .filter((word) => word.text !== ''),
  )
}

/** The word without quotes, and without backslashes before punctuation. */
function plain(word: string): string {
  return word
    .replace(/\\+(?=[!-/:-@[-`{-~])/g, '')
    .replace(/\\{2,}/g, '\\')
    .replace(/["']/g, '')
}

function isSameWord(was: Word, is: Word | undefined): boolean {
  if (is === undefined) return false
  if (was.text === is.text) return true
  // A list marker may be replaced by another, and may be inside a line if lines were joined.
  if (was.isFirst && BULLET.test(was.text)) return BULLET.test(is.text)
  return withOneEmphasis(was.text) === withOneEmphasis(is.text)
}

/** `_word_` and `*word*` are the same in Markdown. */
function withOneEmphasis(word: string): string {
  const marks = (run: string) => '*'.repeat(run.length)
  return word.replace(/^[*_]+/, marks).replace(/[*_]+(?=[.,;:!?)]*$)/, marks)
}
