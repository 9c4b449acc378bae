/** Working Set: lines with a label (`**Branch:** main`), and lists of files below one. */

import type { Line } from '../document/document.ts'
import { readDocument } from '../document/document.ts'
import { oneLine } from '../text/escape-markdown.ts'
import type { Item } from './sections.ts'
import { findSection, insertLines, itemsOf, withSection } from './sections.ts'

export type Label = 'Branch' | 'Modified' | 'Read' | 'Test'

/** In the order in which they stand. */
const LABELS: readonly Label[] = ['Branch', 'Test', 'Modified', 'Read']

/** Files of a list that were put there by themselves; the oldest go when there are more. */
const MAX_FILES = 100

export function labelled(text: string, label: Label): string | undefined {
  const line = labelLine(text, label)
  const words = line && valueIn(line.text)
  return words === '' ? undefined : words
}

/** Paths as they are named: what stands in the first backquotes, else the words before a dash. */
export function filesUnder(text: string, label: Label): string[] {
  return itemsUnder(text, label).flatMap((item) => pathIn(item) ?? [])
}

export function setLabel(text: string, label: Label, value: string): string {
  const line = labelLine(text, label)
  const words = oneLine(value, 'LEDGER.md')
  if (line === undefined) return withLabel(text, label, words)
  const eol = /\r?\n?$/.exec(text.slice(line.start, line.end))?.[0] ?? ''
  return `${text.slice(0, line.start)}**${label}:** ${words}${eol}${text.slice(line.end)}`
}

/** Files that are there already stay where they are, with what is said of them. */
export function addFiles(text: string, label: Label, files: readonly string[]): string {
  const known = new Set(filesUnder(text, label))
  const added = [...new Set(files.map((file) => oneLine(file, '')))].filter(
    (file) => file !== '' && !known.has(file),
  )
  if (added.length === 0) return text
  const ready = labelLine(text, label) === undefined ? withLabel(text, label, '') : text
  const line = labelLine(ready, label)
  const at = itemsUnder(ready, label).at(-1)?.end ?? line?.end
  if (at === undefined) return text
  const changed = insertLines(readDocument(ready), at, added.map(fileLine))
  return filesUnder(changed, label).includes(added[0] ?? '') ? withoutOldest(changed, label) : text
}

function fileLine(file: string): string {
  return file.includes('`') ? `- \`\` ${file} \`\`` : `- \`${file}\``
}

/** What somebody wrote more about than its path is not taken away. */
function withoutOldest(text: string, label: Label): string {
  const items = itemsUnder(text, label)
  const bare = items.filter(
    (item) => fileLine(pathIn(item) ?? '') === text.slice(item.start, item.end).trimEnd(),
  )
  const excess = bare.slice(0, Math.max(0, items.length - MAX_FILES))
  return excess.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text)
}

function pathIn({ text }: Item): string | undefined {
  const quoted = /^(`+)(.*?)(?<!`)\1(?!`)/.exec(text)?.[2]
  const path = (quoted ?? text.split(/\s+[-–—]\s/)[0] ?? '').trim()
  return path === '' || /^none\b/i.test(path) ? undefined : path
}

const LABEL_LINE = /^\s*(?:[-*+]\s+)?\*\*([^*:]+)(?::\*\*|\*\*:)(?:\s|$)/

function labelOf(line: Line): string | undefined {
  return LABEL_LINE.exec(line.text)?.[1]?.trim().toLowerCase()
}

function valueIn(line: string): string {
  return line.replace(LABEL_LINE, '').trim()
}

function linesOf(text: string): readonly Line[] {
  return findSection(readDocument(text), 'Working Set')?.lines ?? []
}

function labelLine(text: string, label: Label): Line | undefined {
  return linesOf(text).find((line) => line.kind !== 'code' && labelOf(line) === label.toLowerCase())
}

function itemsUnder(text: string, label: Label): Item[] {
  const lines = linesOf(text)
  const at = lines.findIndex(
    (line) => line.kind !== 'code' && labelOf(line) === label.toLowerCase(),
  )
  if (at === -1) return []
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => labelOf(line) !== undefined)
  return itemsOf(rest.slice(0, end === -1 ? undefined : end)).filter(({ isListed }) => isListed)
}

/** The label on a line of its own, before the next one that is there. */
function withLabel(text: string, label: Label, value: string): string {
  const ready = withSection(text, 'Working Set')
  const section = findSection(readDocument(ready), 'Working Set')
  if (section === undefined) return text
  const next = LABELS.slice(LABELS.indexOf(label) + 1)
    .map((one) => labelLine(ready, one))
    .find((line) => line !== undefined)
  const last = section.lines.findLast(({ kind }) => kind !== 'blank')
  const line = `**${label}:**${value === '' ? '' : ` ${value}`}`
  const document = readDocument(ready)
  const changed =
    next === undefined
      ? insertLines(document, last?.end ?? section.heading?.end ?? ready.length, ['', line])
      : insertLines(document, next.start, [line])
  return labelLine(changed, label) === undefined ? text : changed
}
