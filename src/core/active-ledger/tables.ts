/** The two tables of an active ledger. A row is a map from column names to cells. */

import type { Line } from '../document/document.ts'
import { readDocument, spliceAll } from '../document/document.ts'
import { escapeSlashes, escapeTags, readSlashes, readTags } from '../text/document-words.ts'
import { oneLine } from '../text/escape-markdown.ts'
import type { SectionName } from './sections.ts'
import { findSection, insertLines, openSection } from './sections.ts'

export type Row = Readonly<Record<string, string>>

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly line: Line; readonly cells: readonly string[] }[]
  readonly last: Line
}

/** The rows of the section's table; empty if there is none. */
export function rowsIn(text: string, name: SectionName): Row[] {
  const { columns, rows } = tableIn(text, name) ?? { columns: [], rows: [] }
  return rows.map(({ cells }) => rowOf(columns, cells))
}

function rowOf(columns: readonly string[], cells: readonly string[]): Row {
  return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? '']))
}

/** Adds a row at the end of the section's table; creates the table if there is none. */
export function addRow(text: string, name: SectionName, row: Row): string {
  const table = tableIn(text, name)
  if (table !== undefined) {
    return insertLines(readDocument(text), table.last.end, [rowLine(table.columns, row)])
  }
  const { document, bottom } = openSection(text, name)
  const columns = Object.keys(row)
  const head = Object.fromEntries(columns.map((one) => [one, one]))
  const rule = `|${columns.map((column) => '-'.repeat(column.length + 2)).join('|')}|`
  return insertLines(document, bottom, ['', rowLine(columns, head), rule, rowLine(columns, row)])
}

/** Changes cells in the rows for which `isWanted` holds. An undefined `row` removes those rows. */
export function changeRows(
  text: string,
  name: SectionName,
  isWanted: (row: Row) => boolean,
  row: Row | undefined,
): string {
  const { columns, rows } = tableIn(text, name) ?? { columns: [], rows: [] }
  const { eol } = readDocument(text)
  const changed = rows.flatMap(({ line: { start, end }, cells }) => {
    const known = rowOf(columns, cells)
    if (!isWanted(known)) return []
    return [{ start, end, put: row && rowLine(columns, { ...known, ...row }) + eol }]
  })
  return spliceAll(text, changed)
}

const RULE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/

/** A table without this column is not ours: a row of ours would be meaningless in it. */
const COLUMN: Partial<Record<SectionName, string>> = {
  'Key Decisions': 'Decision',
  'Validation History': 'Gate',
}

function tableIn(text: string, name: SectionName): Table | undefined {
  const lines = findSection(readDocument(text), name)?.lines ?? []
  const at = lines.findIndex(({ kind, text }, i) => {
    if (kind !== 'table' || !RULE.test(lines[i + 1]?.text ?? '') || RULE.test(text)) return false
    const column = COLUMN[name]
    return column === undefined || cellsOf(text).includes(column)
  })
  const [head, rule] = [lines[at], lines[at + 1]]
  if (at === -1 || head === undefined || rule === undefined) return undefined
  const rest = lines.slice(at + 2)
  const end = rest.findIndex(({ kind }) => kind !== 'table')
  const rows = rest.slice(0, end === -1 ? undefined : end)
  return {
    columns: cellsOf(head.text),
    rows: rows.map((line) => ({ line, cells: cellsOf(line.text) })),
    last: rows.at(-1) ?? rule,
  }
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => readCell(cell.trim()))
}

/** A text as reading its cell gives it back. */
export function asCell(text: string): string {
  return cellsOf(`| ${cellText(text)} |`)[0] ?? ''
}

function rowLine(columns: readonly string[], row: Row): string {
  return `| ${columns.map((column) => cellText(row[column] ?? '')).join(' | ')} |`
}

/** Backslashes at the end are doubled, because they would escape the bar after the cell. */
function cellText(text: string): string {
  const cell = escapeTags(oneLine(text, 'LEDGER.md')).replace(
    /(\\*)\|/g,
    (_, slashes: string) => `${escapeSlashes(slashes)}|`,
  )
  return cell.replace(/\\+$/, '$&$&') || '-'
}

function readCell(cell: string): string {
  return readTags(
    cell
      .replace(/(?:\\\\)+$/, (slashes) => slashes.slice(slashes.length / 2))
      .replace(/(\\*)\|/g, (_, slashes: string) => `${readSlashes(slashes)}|`),
  )
}
