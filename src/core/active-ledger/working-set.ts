/** The section Working Set: lines with a label (`**Branch:** main`), and lists of files below a label. */

import { readBoldKeyed } from '../document/blocks.ts'
import type { Line } from '../document/document.ts'
import { readDocument, spliceAll } from '../document/document.ts'
import { oneLine } from '../text/escape-markdown.ts'
import type { Item } from './sections.ts'
import { findSection, insertLines, itemsOf, openSection } from './sections.ts'

export type Label = 'Branch' | 'Modified' | 'Read' | 'Test'

/** In the order of the file. */
const LABELS: readonly Label[] = ['Branch', 'Test', 'Modified', 'Read']

/** Limit per list of files. Beyond it, the oldest files that were added automatically are removed. */
const MAX_FILES = 100

/** The value after a label; undefined if the label is missing or empty. */
export function labelled(text: string, label: Label): string | undefined {
  const line = labelLine(text, label)
  return (line && readBoldKeyed(line)?.value.text) || undefined
}

/** Paths as written in the list: the first text in backquotes, else the words before a dash. */
export function filesUnder(text: string, label: Label): string[] {
  return itemsUnder(text, label).flatMap((item) => pathIn(item) ?? [])
}

/** Sets the value after a label, and adds the label if it is missing. */
export function setLabel(text: string, label: Label, value: string): string {
  const line = labelLine(text, label)
  const words = oneLine(value, 'LEDGER.md')
  if (line === undefined) return withLabel(text, label, words)
  const end = line.start + line.text.length
  return spliceAll(text, [{ start: line.start, end, put: `**${label}:** ${words}` }])
}

/** Adds files to a list; files that are already in it stay where they are, with their comments. */
export function addFiles(text: string, label: Label, files: readonly string[]): string {
  const known = new Set(filesUnder(text, label))
  const added = [...new Set(files.map((file) => oneLine(file, '')))].filter(
    (file) => file !== '' && !known.has(file),
  )
  if (added.length === 0) return text
  const ready = labelLine(text, label) === undefined ? withLabel(text, label, '') : text
  const { document, bottom } = openSection(ready, 'Working Set')
  const at = itemsUnder(document.text, label).at(-1)?.end ?? labelLine(document.text, label)?.end
  return withoutOldest(insertLines(document, at ?? bottom, added.map(fileLine)), label)
}

function fileLine(file: string): string {
  return file.includes('`') ? `- \`\` ${file} \`\`` : `- \`${file}\``
}

/** Removes the oldest items beyond the limit, but only items that are nothing but a path. */
function withoutOldest(text: string, label: Label): string {
  const items = itemsUnder(text, label)
  const bare = items.filter(
    (item) => fileLine(pathIn(item) ?? '') === text.slice(item.start, item.end).trimEnd(),
  )
  const excess = bare.slice(0, Math.max(0, items.length - MAX_FILES))
  return spliceAll(text, excess)
}

function pathIn({ text }: Item): string | undefined {
  const quoted = /^(`+)(.*?)(?<!`)\1(?!`)/.exec(text)?.[2]?.trim()
  if (quoted) return quoted
  const path = (text.split(/\s+[-–—]\s/)[0] ?? '').trim()
  return path === '' || /^none\b/i.test(path) ? undefined : path
}

function isLabel(line: Line, label: Label): boolean {
  return line.kind !== 'code' && readBoldKeyed(line)?.key.toLowerCase() === label.toLowerCase()
}

function linesOf(text: string): readonly Line[] {
  return findSection(readDocument(text), 'Working Set')?.lines ?? []
}

function labelLine(text: string, label: Label): Line | undefined {
  return linesOf(text).find((line) => isLabel(line, label))
}

function itemsUnder(text: string, label: Label): Item[] {
  const lines = linesOf(text)
  const at = lines.findIndex((line) => isLabel(line, label))
  if (at === -1) return []
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => readBoldKeyed(line) !== undefined)
  return itemsOf(rest.slice(0, end === -1 ? undefined : end)).filter(({ isListed }) => isListed)
}

/** Adds the label on a separate line, before the next label that exists. */
function withLabel(text: string, label: Label, value: string): string {
  const { document, bottom } = openSection(text, 'Working Set')
  const next = LABELS.slice(LABELS.indexOf(label) + 1)
    .map((one) => labelLine(document.text, one))
    .find((line) => line !== undefined)
  const line = `**${label}:**${value === '' ? '' : ` ${value}`}`
  return next === undefined
    ? insertLines(document, bottom, ['', line])
    : insertLines(document, next.start, [line])
}
