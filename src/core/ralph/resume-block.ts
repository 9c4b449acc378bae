/**
 * A block of ours in a prompt, between markers on lines of their own: put in, replaced, taken out.
 *
 * What stands outside the markers never changes, and taking out gives back the text as it was. A marker
 * that has lost its other half is the user's text.
 */

const START = '<!-- ledger-git: where the last session stood -->'
const END = '<!-- ledger-git: end -->'

/** The first start whose end comes before the next start. */
const BLOCK = new RegExp(
  String.raw`(?<=^|\n)${START}(?<eol>\r?\n)(?:(?!${START})[^\n]*\n)*?${END}(?:\r?\n|$)`,
)

/** The text with these lines as its block: in the block's old place, else at the end. */
export function putResume(text: string, lines: readonly string[]): string {
  const old = BLOCK.exec(text)
  const eol = old?.groups?.['eol'] ?? eolOf(text)
  const block = [START, ...lines, END, ''].join(eol)
  if (old === null) return `${text}${eol}${block}`
  return text.slice(0, old.index) + block + takeResume(text.slice(old.index + old[0].length))
}

/** The text without its blocks. */
export function takeResume(text: string): string {
  const block = BLOCK.exec(text)
  if (block === null) return text
  const eol = block.groups?.['eol'] ?? ''
  // Of a file that was made one with other line ends, too.
  const before = text.slice(0, block.index).replace(eol === '\n' ? /\n$/ : /\r?\n$/, '')
  const after = text.slice(block.index + block[0].length)
  // Lines that were written below the block stay lines of their own.
  const isJoined = before !== '' && after !== '' && !before.endsWith('\n')
  return takeResume(`${before}${isJoined ? eol : ''}${after}`)
}

export function hasResume(text: string): boolean {
  return BLOCK.test(text)
}

/** Half a line break at the end of the text must not become a whole one: the line before it may be a marker. */
function eolOf(text: string): string {
  return text.endsWith('\r') || text.includes('\r\n') ? '\r\n' : '\n'
}
