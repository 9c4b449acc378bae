/** The lines of a section as paragraphs, list items with their indented lines, and table rows. */

import type { Line } from '../document/document.ts'
import { aboutOf, fieldOf, isTemplate, splitLabel } from './labels.ts'

export interface Block {
  readonly kind: 'item' | 'paragraph' | 'row'
  /** Never empty. */
  readonly lines: readonly [Line, ...Line[]]
}

/** What the check box or arrow before an item says. */
export type Mark = 'checked' | 'unchecked' | 'current' | undefined

/** Maximum number of lines of an item. Anything longer is a document and goes into the note. */
const MAX_LINES = 40

export function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: { kind: Block['kind']; lines: [Line, ...Line[]] }[] = []
  let open: { kind: Block['kind']; lines: [Line, ...Line[]] } | undefined
  let wasBlank = false
  for (const line of lines) {
    if (line.kind === 'blank') {
      wasBlank = true
      if (open?.kind === 'paragraph') open = undefined
    } else {
      if (line.kind !== 'item' && line.kind !== 'text') open = undefined
      if (open !== undefined && continuesBlock(open, line, wasBlank)) open.lines.push(line)
      else if (line.kind === 'table') blocks.push({ kind: 'row', lines: [line] })
      else if (line.kind === 'item' || line.kind === 'text') {
        open = { kind: line.kind === 'item' ? 'item' : 'paragraph', lines: [line] }
        blocks.push(open)
      }
      wasBlank = false
    }
  }
  return blocks
}

function continuesBlock({ kind, lines }: Block, line: Line, wasBlank: boolean): boolean {
  const isDeeper = kind === 'item' && line.indent > lines[0].indent
  if (lines.length >= MAX_LINES) return isDeeper // still part of its item, but goes into the note
  const head = line.kind === 'text' ? headOf(line.text) : undefined
  // `  Now:` after the last item of the previous list starts something new.
  if (isDeeper) return head?.rest !== '' || !isTemplate(head.label)
  return line.kind === 'text' && !wasBlank && head === undefined
}

export interface Label {
  readonly label: string
  /** The text after the label on its line. */
  readonly rest: string
}

const BOLD = /^(?:\*\*|__)([^*_:]{1,80})(?::(?:\*\*|__)|(?:\*\*|__)\s*:)\s*(.*)$/
/** May include an explanation: `Goal (incl. success criteria):`. */
const PLAIN = /^([A-Za-z][A-Za-z_' /-]{1,40}(?: ?\([^()]{1,80}\))?):(?:\s+(.*))?$/
/** Marks before a line that do not affect its meaning: list and quotation marks. */
const LEAD = /^(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)+/

/** `**Goal:** text`, `- Now: text`, `> updated: T`. Unknown words count only if bold. */
export function labelOf(text: string): Label | undefined {
  const bare = text.trim().replace(LEAD, '')
  const bold = BOLD.exec(bare)
  const [, name, rest = ''] = bold ?? PLAIN.exec(emphasized(bare)) ?? []
  if (name === undefined) return undefined
  const { label } = splitLabel(name)
  const isKnown = fieldOf(label) !== undefined || aboutOf(label) !== undefined
  return isKnown || bold !== null ? { label, rest } : undefined
}

/** Removes the marks around `_Last updated: 2026-01-03_`. */
function emphasized(text: string): string {
  return /^([*_])(?![*_\s])([^*_]+)\1$/.exec(text)?.[2] ?? text
}

/** A label, or words with a colon that introduce what follows: `Working set (files):`. */
export function headOf(text: string): Label | undefined {
  const known = labelOf(text)
  if (known !== undefined) return known
  const [, name, rest = ''] = PLAIN.exec(text.trim().replace(LEAD, '')) ?? []
  if (name === undefined) return undefined
  const { label } = splitLabel(name)
  return isTemplate(label) || (rest === '' && /^[A-Z]/.test(name)) ? { label, rest } : undefined
}

/** The text of an item or paragraph as one line. */
export function textOf(block: Block): { text: string; mark: Mark; lines: number[] } {
  const shown = block.lines.slice(0, MAX_LINES)
  const [head, ...rest] = shown.map((line) => line.text.trim())
  const { text, mark } = openItem(head ?? '')
  return { text: [text, ...rest].join(' ').trim(), mark, lines: shown.map(({ at }) => at) }
}

/** Removes the list marker and check box from a trimmed first line. */
export function openItem(line: string): { text: string; mark: Mark } {
  const text = line.replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '')
  const [box, sign = ''] = /^\[([ xX]|->|\u2192)\]\s+/.exec(text) ?? []
  if (box === undefined) return { text, mark: undefined }
  const rest = text.slice(box.length)
  if (sign === ' ') return { text: rest, mark: 'unchecked' }
  return { text: rest, mark: sign.toLowerCase() === 'x' ? 'checked' : 'current' }
}
