/**
 * Converts an agent's Markdown to plain lines: what it says, without the markup.
 *
 * The result goes into an event and is read in a list. A line therefore has no heading, bullet, bold, or link syntax,
 * and no control or invisible characters. Code spans are kept, because they contain names.
 */

/** Invisible characters: direction marks, joiners, tag characters. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** One line, with white space folded and without control and invisible characters. */
export function foldLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(INVISIBLE, '')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .trim()
  )
}

const MARK = String.raw`#{1,6}(?: |$)|>|[-*+•] `
const MARKS = new RegExp(String.raw`^(?:(?:${MARK})\s*)+`)
const OPENER = new RegExp(String.raw`^(?:(?:${MARK}|\d{1,3}[.)] |\[[ xX]\] )\s*)+`)
const CODE_LINK = /!?\[`([^`\][]+)`\]\(([^()\s]*)\)/g
const LINK = /!?\[((?:[^\][]|\[[^\][]*\])*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/g

/** The words of one line of Markdown. A line without words is only folded. */
export function plainLine(markdown: string): string {
  let plain = foldLine(withoutRules(markdown))
  for (;;) {
    const shorter = [
      plain.replace(OPENER, ''),
      withoutMarks(plain),
      // A list number or a ticked box is kept if it is the only word.
      plain.replace(MARKS, ''),
      plain.replace(/^\[([ xX])\] /, '$1 '),
    ].map((text) => text.trim())
    const next = shorter.find((text) => text !== plain && hasWords(text))
    if (next === undefined) return plain
    plain = foldLine(next)
  }
}

/** `─── Morning report ───`: removes rules drawn around words. */
function withoutRules(line: string): string {
  const words = line.replace(/[─━═]{3,}/g, ' ')
  return hasWords(words) ? words : line
}

/** Removes links, bold, and some tags, except in code. */
function withoutMarks(text: string): string {
  return text
    .replace(CODE_LINK, (_, label: string, target: string) =>
      ADDRESS.test(target) ? `\`${label}\`` : `\`${linkText(label, target)}\``,
    )
    .split(/(`[^`]*`)/)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replace(TAG, '').replace(LINK, asLinkText).replace(BOLD, '$1'),
    )
    .join('')
}

/** `H<sub>2</sub>O`. Other tags are more often what a message is about. */
const TAG = /<\/?(?:sub|sup|kbd)>/gi

/** Words in bold, and marks that are left over; not the marks of a pattern such as `src/**\/tests`. */
const BOLD = /(?<![\w/])\*\*(?=[^\s/])((?:(?!\*\*).)+)\*\*|(?<!\/)\*\*(?!\/)/g

/**
 * A file name gets its path in the repository, or its folder, because many files have the same name. An address follows
 * a name that is no part of it: it is often what a reader needs most, such as a pull request or the page to open.
 */
function linkText(label: string, target: string): string {
  if (ADDRESS.test(target)) {
    return `/${target}/`.includes(`/${label}/`) ? label : `${label} (${target})`
  }
  const [path = ''] = target.replace(/^file:\/\//, '').split(/[#?]|:\d/)
  const [name, folder] = path.split('/').toReversed()
  const isFile = label === name && folder !== undefined && !path.includes('://')
  if (isFile && OWN_PATH.test(path)) return path
  return isFile && /^[\w.@-]*\w[\w.@-]*$/.test(folder) ? `${folder}/${label}` : label
}

const ADDRESS = /^https?:\/\/\S{4,100}$/
const OWN_PATH = /^(?!\.{0,2}\/)(?:[\w@()[\].-]+\/)+[\w.@-]+$/

const asLinkText = (_: string, label: string, target: string) => linkText(label, target)

/** True if there is something to read: a letter, a number, or a symbol that stands for a word. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)
}

/** A character of a script without spaces. */
const SIGN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]`
const NO_SIGN = String.raw`(?!${SIGN})[\p{L}\p{N}`
const WORD = new RegExp(`${SIGN}{1,2}|${NO_SIGN}](?:${NO_SIGN}'’_-])*`, 'gu')

/** In scripts without spaces, about two characters count as a word. */
export function countWords(line: string): number {
  return (line.match(WORD) ?? []).length
}

/** At most `max` characters (UTF-16 units), cut between words if there is a space near the end. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  if (max < 2) return ''
  const cut = text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${(space > max * 0.6 ? cut.slice(0, space) : cut).replace(/[\s,;:(–-]+$/, '')}…`
}

/** The sentences of a line. Full stops in names, numbers, and code end none, nor do dots before a lowercase word. */
export function sentencesOf(line: string): string[] {
  return line
    .replace(/`[^`]*`/g, (code) => code.replaceAll(' ', '\0'))
    .replace(ABBREVIATION, (word) => word.replace(' ', '\0'))
    .split(SENTENCE_END)
    .map((sentence) => sentence.replaceAll('\0', ' ').trim())
    .filter((sentence) => sentence !== '')
}

/** A quoted question goes on where a small letter follows: `“Why?” is answered now.` */
const SENTENCE_END =
  /(?<=[.!?][)"'”’*]?)(?<![!?]["'”’])(?!(?<=\.{3})\s+\p{Ll})\s+(?=\S)|(?<=…[)"'”’*]?|[!?]["'”’])\s+(?=[^\p{Ll}\s])|(?<=[。！？])/u

/** `e.g.` never ends a sentence; `etc.` does if a new one begins. */
const ABBREVIATION =
  /(?<!\p{L})(?:(?:e\.g|i\.e|vs|напр|т\.е)\.[)"'”’*]? |etc\.[)"'”’*]? (?=\p{Ll}))/gu

/** As many of the last sentences as fit; empty if the last one is too long. */
export function endOf(text: string, max: number): string {
  let end = ''
  for (const sentence of sentencesOf(text).toReversed()) {
    const longer = end === '' ? sentence : `${sentence} ${end}`
    if (longer.length > max) break
    end = longer
  }
  return end
}
