/** The lines of a message in Markdown, each with its kind: text, item, heading, table, quote, or code. Pure. */

import { foldLine, hasWords, plainLine } from './markdown-to-text.ts'
import { memoize } from './remembering.ts'
import { cellsOf, isRow, isRule } from './table-row.ts'

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
  const names = cellsOf(row)
    .map(plainLine)
    .filter((cell) => cell !== '')
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
