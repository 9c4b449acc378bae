/**
 * Edits of a handoff's text: inserting lines, removing or moving blocks, adding sections at their proper place.
 * An edit leaves every unrelated byte unchanged.
 */

import { LedgerError } from '../errors/errors.ts'
import type { Splice } from '../document/document.ts'
import { readDocument, spliceAll } from '../document/document.ts'
import { itemKey } from '../event/item-text.ts'
import type { Block } from '../document/blocks.ts'
import type { Handoff, Part, PartName } from './handoff.ts'
import { isEmpty, isRule, itemsOf, PART_TITLES, readHandoff } from './handoff.ts'

export type Edit = (handoff: Handoff) => Handoff

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const { front, lines } = readDocument(text)
  if (front === undefined && lines[0]?.text.trimEnd() === '---') {
    const next = 'close it with a line ---, then run the command again'
    throw new LedgerError('HANDOFF_UNREADABLE', 'the front matter is not closed', next)
  }
  return combineEdits(edits)(readHandoff(text)).text
}

/** Combines several edits into one. */
export const combineEdits =
  (edits: readonly Edit[]): Edit =>
  (handoff) =>
    edits.reduce((now, edit) => edit(now), handoff)

/** Returns the same handoff if nothing is to change. */
export function splice(handoff: Handoff, ...splices: readonly Splice[]): Handoff {
  return splices.length === 0 ? handoff : readHandoff(spliceAll(handoff.text, splices))
}

/** The text on one line: line breaks and tabs become spaces, control characters U+FFFD. */
export function lineOf(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ')
      .replaceAll('\t', ' ')
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
      .trim()
  )
}

/**
 * Inserts whole lines at `at`, which is the end of a line. Throws `HANDOFF_UNREADABLE` if an open fence or comment
 * would swallow the lines, or if the lines would swallow the text after them.
 */
export function putLines(handoff: Handoff, at: number, lines: readonly string[]): Splice {
  const { text, document } = handoff
  const isOpen = (one: string) => readDocument(one).closer !== undefined
  if (isOpen(text.slice(0, at)) || isOpen(lines.join('\n'))) throw unclosed(handoff, at)
  const { eol } = document
  const isCut = at > 0 && text[at - 1] !== '\n'
  return { start: at, end: at, put: (isCut ? eol : '') + lines.map((line) => line + eol).join('') }
}

function unclosed({ document }: Handoff, at: number): LedgerError {
  const above = document.sections.findLast(({ heading }) => heading && heading.start < at)
  const where = above?.title ?? 'the document'
  return new LedgerError(
    'HANDOFF_UNREADABLE',
    `${where}: a code fence or a comment is not closed, so nothing can be added below it`,
    'close it in the file, then run the command again',
  )
}

export type Box = '[ ]' | '[x]' | '[->]'

/** A block as an item with a different box; its other lines are left unchanged. */
export function withBox({ text, document }: Handoff, block: Block, box: Box): string {
  const { start, end, words } = block
  const bullet = /^\s*([-*+])\s/.exec(text.slice(start, words.start))?.[1] ?? '-'
  const rest = text.slice(words.start, end)
  return `${bullet} ${box} ${rest}${rest.endsWith('\n') ? '' : document.eol}`
}

export function sameItem(text: string): (block: Block) => boolean {
  const key = itemKey(text)
  return ({ words }) => itemKey(words.text) === key
}

/** Adds an item, given as its lines, at the beginning or the end of a list. */
export function addItem(name: PartName, item: string, place: 'first' | 'last' = 'last'): Edit {
  return (handoff) => {
    const opened = withPart(handoff, name)
    const part = partIn(opened, name)
    const placeholders = placeholdersIn(part)
    const items = itemsOf(part)
    const { end: top } = part.heading
    const comments = part.blocks.findIndex(({ kind }) => kind !== 'code' && kind !== 'blank')
    const lead = part.blocks.slice(0, comments === -1 ? undefined : comments)
    const below = lead.findLast(({ kind }) => kind === 'code')?.end ?? top
    const last = items.at(-1)?.end ?? lastLineOf(part)
    const at = place === 'first' ? (items[0]?.start ?? below) : last
    // A paragraph directly after the item would become part of it.
    const follows = part.lines.find(({ start }) => start >= at)
    const needsGap =
      follows?.kind === 'text' && !placeholders.some(({ start }) => start === follows.start)
    const lines = [...item.replace(/\r?\n$/, '').split(/\r?\n/), ...(needsGap ? [''] : [])]
    const changed = splice(opened, ...placeholders, putLines(opened, at, lines))
    // A line such as `- ---` is not an item.
    if (itemsOf(changed.byName[name]).length > items.length) return changed
    throw unclosed(opened, at)
  }
}

/** The handoff with a section of that name. A missing section is added where the template has it. */
export function withPart(handoff: Handoff, name: PartName): Handoff {
  if (handoff.byName[name] !== undefined) return handoff
  const [title, parent] = PART_TITLES[name]
  const opened = parent === undefined ? withLedger(handoff) : withPart(handoff, parent)
  const above = parent && opened.byName[parent]
  const level = above === undefined ? 3 : above.level + 1
  const at = placeOf(opened, name)
  const follows = opened.document.lines.find(({ start }) => start >= at)
  const gap = follows === undefined || follows.text.trim() === '' ? [] : ['']
  return splice(opened, putLines(opened, at, ['', `${'#'.repeat(level)} ${title}`, ...gap]))
}

export function partIn(handoff: Handoff, name: PartName): Part {
  const part = handoff.byName[name]
  if (part === undefined) throw new Error(`no section ${name}`)
  return part
}

/** The end of the section's last non-blank line, or of its heading. */
export function lastLineOf({ lines, heading }: Part): number {
  return lines.findLast(({ kind }) => kind !== 'blank')?.end ?? heading.end
}

/** Placeholders such as `(none)`, which the first entry replaces. */
export function placeholdersIn({ blocks }: Part): Block[] {
  return blocks.filter(
    ({ kind, words, lines }) =>
      (kind === 'item' || kind === 'text') && lines.length === 1 && isEmpty(words.text),
  )
}

/** The end of the last existing section that comes earlier in the template. */
function placeOf(handoff: Handoff, name: PartName): number {
  const { byName, parts, document, text } = handoff
  const names = Object.keys(PART_TITLES) as PartName[]
  const parent = PART_TITLES[name][1]
  const before = names
    .slice(0, names.indexOf(name))
    .flatMap((other) => byName[other] ?? [])
    .findLast((part) => parent !== undefined || parts.includes(part))
  const part = before ?? parts[0]
  if (part === undefined) return text.length
  // Includes unknown sections inside it.
  const all = document.sections.filter(({ heading }) => heading !== undefined)
  const own = all.findIndex(({ heading }) => heading?.start === part.start)
  const level = parent === undefined ? 3 : Math.max(part.level, 4)
  const next = all.slice(own + 1).find((section) => section.level <= level)
  const limit = Math.min(next?.heading?.start ?? text.length, ledgerEnd(handoff, part))
  const last = document.lines.findLast(
    (line) =>
      line.start >= part.start && line.end <= limit && line.text.trim() !== '' && !isRule(line),
  )
  return last?.end ?? part.heading.end
}

function ledgerEnd({ ledger, text }: Handoff, { start }: Part): number {
  return ledger !== undefined && start >= ledger.start && start < ledger.end
    ? ledger.end
    : text.length
}

/** Adds a Ledger below the title if there is none. */
export function withLedger(handoff: Handoff): Handoff {
  if (handoff.ledger !== undefined) return handoff
  const { document, text } = handoff
  const headings = document.sections.filter(({ heading }) => heading !== undefined)
  const [first] = headings
  const next = first?.level === 1 ? headings[1] : first
  const at = next?.heading?.start ?? text.length
  const lead = at > 0 && text[at - 1] !== '\n' ? [''] : []
  const rule = next === undefined ? [] : ['', '---', '']
  return splice(handoff, putLines(handoff, at, [...lead, '## Ledger', ...rule]))
}
