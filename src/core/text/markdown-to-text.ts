/**
 * Converts an agent's Markdown to plain lines: what it says, without the markup.
 *
 * The result goes into an event and is read in a list. A line therefore has no heading, bullet, bold, or link syntax,
 * and no control or invisible characters. Code spans are kept, because they contain names.
 */

import { memoize } from './remembering.ts'
import { cellsOf, isRow, isRule } from './table-row.ts'

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

export interface Block {
  /** `quote`: after a `>`, or in a fence without a language, such as output; `table`: a row, but not the header. */
  readonly kind: 'text' | 'item' | 'heading' | 'table' | 'quote' | 'code'
  /** An item below another one. */
  readonly isNested?: true
  /** An item that is ticked or struck out. */
  readonly isTicked?: true
  /** Of the first row of a table with three or more columns, their names. */
  readonly header?: string
  /** One plain line. */
  readonly text: string
}

const FENCE = /^\s{0,9}(`{3,}|~{3,})\s*([^`]*)$/

/** Blocks between two lines. Unclosed blocks do not count. */
const FENCED = [
  // A formula.
  { start: /^\s*(?:\\\[|\$\$)\s*$/, end: /^\s*(?:\\\]|\$\$)\s*$/, kind: 'code' },
  // The sources that Codex read its memories from.
  { start: /^\s*<oai-mem-citation>\s*$/, end: /^\s*<\/oai-mem-citation>\s*$/, kind: undefined },
  // Explanations by an output style of Claude Code: neither work done nor work left.
  { start: /^\s*[`*]*★ .*─{5,}[`*]*\s*$/, end: /^\s*[`*]*─{5,}[`*]*\s*$/, kind: undefined },
] as const

/** The lines of a message that contain words, with their kinds. */
export const blocksOf = memoize<[], readonly Block[]>(readBlocks)

function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let fence: { isEnd: (line: string, mark?: string) => boolean; kind?: Block['kind'] } | undefined
  const lines = markdown.split(/\r\n|[\n\r]/)
  let header: string | undefined
  /** The last line of the last block. */
  let end = ''
  const lastEnds = FENCED.map(({ end }) => lines.findLastIndex((line) => end.test(line)))
  for (const [i, line] of lines.entries()) {
    const [, mark, language = ''] = FENCE.exec(line) ?? []
    const begun = FENCED.find(({ start }, at) => i < (lastEnds[at] ?? -1) && start.test(line))
    if (fence !== undefined) {
      const { kind } = fence
      if (fence.isEnd(line, mark)) fence = undefined
      else if (kind !== undefined && hasWords(line)) blocks.push({ kind, text: foldLine(line) })
    } else if (begun !== undefined) {
      fence = { isEnd: (end) => begun.end.test(end), ...(begun.kind && { kind: begun.kind }) }
    } else if (mark !== undefined) {
      fence = {
        isEnd: (_, end) => end?.startsWith(mark) === true,
        kind: language.trim() === '' ? 'quote' : 'code',
      }
    } else if (isRule(line)) {
      if (blocks.at(-1)?.kind === 'table') {
        blocks.pop()
        header = headerIn(lines[i - 1] ?? '')
      }
    } else if (hasWords(line)) {
      const block = blockAfter(blocks.at(-1), line, header)
      header = undefined
      const item = hasWords(lines[i - 1] ?? '')
        ? itemWithRest(blocks.at(-1), block, line, end)
        : undefined
      end = block.text.slice(-1)
      if (item === undefined) blocks.push(block)
      else blocks[blocks.length - 1] = item
    }
  }
  return blocks
}

/** The names of three or more columns, which say what the cells of each row are. */
function headerIn(row: string): string | undefined {
  const names = cellsOf(row).map(plainLine).filter(hasWords)
  return names.length < MIN_COLUMNS ? undefined : names.join(' - ')
}

const MIN_COLUMNS = 3

/** The item, if the indented line right below it goes on with it. `end`: the last character above that line. */
function itemWithRest(item: Block | undefined, { kind, text }: Block, line: string, end: string) {
  if (item?.kind !== 'item' || kind !== 'text' || !/^\s{2}/.test(line)) return undefined
  const isSentence = /^\p{Lu}/u.test(text) && /[\p{L}\p{N}`)]/u.test(end)
  return { ...item, text: `${item.text}${isSentence ? '.' : ''} ${text}` }
}

/** Code or an address alone in bold is not a heading after a line that introduces it: `It runs at:`. */
function blockAfter(before: Block | undefined, line: string, header?: string): Block {
  const block = blockOf(line)
  if (block.kind === 'table' && header !== undefined) return { ...block, header }
  const isValue = /^\s*\*\*(?:`[^`]+`|https?:\/\/\S+)\*\*\s*$/.test(line)
  const isLed = before?.kind === 'text' && /[:：]$/.test(before.text)
  return isValue && isLed ? { ...block, kind: 'text' } : block
}

function blockOf(line: string): Block {
  if (isRow(line)) {
    const cells = cellsOf(line).map(plainLine)
    return { kind: 'table', text: cells.filter((cell) => cell !== '').join(' - ') }
  }
  const text = plainLine(line)
  if (isHeading(line, text)) return { kind: 'heading', text }
  if (/^\s{0,3}>/.test(line)) return { kind: 'quote', text }
  if (!/^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)) return { kind: 'text', text }
  return {
    kind: 'item',
    text,
    ...(/^(?:\s{2}|\t)/.test(line) ? { isNested: true } : {}),
    ...(/^\s*\S+\s+(?:\[[xX]\]|✅|✓|✔|~~)/u.test(line) ? { isTicked: true } : {}),
  }
}

/** A line in bold is a heading (`**Step 2: Tests.**`), unless it is a statement: `**Ready to merge: no**`. */
function isHeading(line: string, text: string): boolean {
  if (/^\s{0,3}#{1,6}\s/.test(line)) return true
  if (!/^\s*\*\*[^*]+\*\*:?\s*$/.test(line)) return false
  return (
    !/[.!]$|: \S/.test(text) || /^\p{L}+ \d[\d.]*\p{L}?(?:[ :.)—–-]*$|\s*[:.)—–-]\s)/u.test(text)
  )
}
