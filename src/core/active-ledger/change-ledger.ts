/**
 * Changes to an active ledger, as functions from text to text. A change touches only the parts that it
 * names, keeps all other bytes, and is idempotent.
 */

import type { Section } from '../document/document.ts'
import { readDocument, spliceAll } from '../document/document.ts'
import { itemKey } from '../event/item-text.ts'
import { readWords } from '../text/document-words.ts'
import { IGNORE_END } from '../text/ignored-range.ts'
import { escapeTitle, oneLine } from '../text/escape-markdown.ts'
import type { EntryPath } from '../document/fields.ts'
import { setField } from '../document/fields.ts'
import {
  isPlaceholder,
  addItems,
  findSection,
  insertLines,
  itemLine,
  itemsIn,
  itemWords,
  putLines,
  takeItems,
  openSection,
} from './sections.ts'
import type { SectionName } from './sections.ts'
import { addRow, asCell, changeRows, rowsIn } from './tables.ts'
import type { FieldName, Validation } from './active-ledger.ts'
import { addFiles, labelled, setLabel } from './working-set.ts'

export interface LedgerChange {
  /** Keys of the front matter; `null` is written as `null`. */
  readonly fields?: Readonly<Partial<Record<FieldName, string | null>>>
  readonly validation?: Partial<Validation>
  readonly title?: string | undefined
  readonly goal?: string | undefined
  readonly test?: string | undefined
  readonly branch?: string | undefined
  readonly done?: readonly string[]
  /** The new Now. The old one moves to the top of Next, or to Done if `isNowDone`. */
  readonly now?: string | undefined
  readonly isNowDone?: boolean
  /** Replaces the whole list. */
  readonly next?: readonly string[] | undefined
  /** A null value removes the row. */
  readonly decisions?: readonly { readonly key: string; readonly value: string | null }[]
  readonly questions?: readonly string[]
  readonly resolved?: readonly string[]
  readonly checkpoints?: readonly string[]
  readonly modified?: readonly string[]
  readonly read?: readonly string[]
  readonly gate?: {
    readonly name: string
    readonly status: string
    readonly notes: string | undefined
  }
  /** Local time to write into new rows, `HH:MM`. */
  readonly time: string
}

/** The range that formatters leave alone ends with the file, so new sections go before its end marker. */
export function changeLedger(text: string, change: LedgerChange): string {
  const [end = ''] = RANGE_END.exec(text) ?? []
  return changeText(text.slice(0, text.length - end.length), change) + end
}

const RANGE_END = new RegExp(`(?:\\r?\\n)${IGNORE_END}\\s*$`)

function changeText(before: string, change: LedgerChange): string {
  let text = before
  for (const [key, value] of Object.entries(change.fields ?? {}))
    text = withEntry(text, [key], value)
  for (const [key, value] of Object.entries(change.validation ?? {})) {
    text = withEntry(text, ['validation', key], value)
  }
  const { bound_bead: bead, bound_track: track } = change.fields ?? {}
  if (bead !== undefined) text = withTask(text, 'bead', bead)
  if (track !== undefined) text = withTask(text, 'track', track)
  if (change.title) text = withTitle(text, change.title)
  if (change.goal) text = withGoal(text, change.goal)
  text = withState(text, change)
  for (const decision of change.decisions ?? []) text = withDecision(text, decision, change.time)
  if (change.branch) text = withBranch(text, change.branch)
  if (change.test) text = setLabel(text, 'Test', change.test)
  text = addFiles(text, 'Modified', change.modified ?? [])
  text = addFiles(text, 'Read', change.read ?? [])
  text = withQuestions(text, change)
  if (change.gate !== undefined) {
    const { name, status, notes } = change.gate
    text = addRow(text, 'Validation History', {
      Gate: name,
      Status: status,
      Time: change.time,
      Notes: notes ?? '',
    })
  }
  return addItems(text, 'Checkpoints', change.checkpoints ?? [])
}

function withEntry(
  text: string,
  path: readonly string[],
  value: string | number | null | readonly string[],
): string {
  return setField(readDocument(text), path as EntryPath, value)
}

/** Sets `bead:` or `track:` in Active Task; everything else that people wrote there stays. */
function withTask(text: string, key: 'bead' | 'track', value: string | null): string {
  const lineOf = (pattern: RegExp, of: Section | undefined) =>
    of?.lines.find((one) => one.kind !== 'code' && pattern.test(one.text))
  const lead = /^\s*(?:[-*]\s+)?/
  const own = new RegExp(`${lead.source}${key}:`, 'i')
  const old = lineOf(own, findSection(readDocument(text), 'Active Task'))
  const line = `${key}: ${value === null ? 'none' : oneLine(value, '')}`
  if (old !== undefined) {
    const start = old.start + (lead.exec(old.text)?.[0].length ?? 0)
    return spliceAll(text, [{ start, end: old.start + old.text.length, put: line }])
  }
  if (value === null) return text
  const { document, section, top } = openSection(text, 'Active Task')
  const other = lineOf(/^(?:bead|track):/, section)
  return insertLines(document, other?.start ?? top, other === undefined ? ['', line] : [line])
}

function withTitle(text: string, title: string): string {
  const document = readDocument(text)
  const heading = document.sections.find(({ level }) => level === 1)?.heading
  const put = `# ${escapeTitle(oneLine(title, ''))}`
  if (heading === undefined)
    return insertLines(document, document.sections[0]?.content.start ?? 0, [put, ''])
  const { start } = heading
  return spliceAll(text, [{ start, end: start + heading.text.length, put }])
}

/** Replaces the words of the goal; comments, tables and code in the section stay. */
function withGoal(text: string, goal: string): string {
  const [first, ...others] = itemsIn(text, 'Goal')
  const line = itemLine(goal)
  if (first === undefined) {
    const { document, section, top } = openSection(text, 'Goal')
    const gap = top === section.heading?.end ? [''] : []
    return insertLines(document, top, [...gap, line])
  }
  const eol = /\r?\n?$/.exec(text.slice(first.start, first.end))?.[0] ?? ''
  return spliceAll(text, [{ ...first, put: line + eol }, ...others])
}

function withState(before: string, change: LedgerChange): string {
  const { now, next, isNowDone = false, done = [] } = change
  const keyOf = (item: string) => itemKey(itemWords(item))
  const finished = new Set(done.map(keyOf))
  const isDone = (item: { readonly text: string }) => finished.has(itemKey(item.text))
  let text = addItems(before, 'Done', done)
  if (done.length > 0)
    for (const name of ['Now', 'Next'] as const) text = takeItems(text, name, isDone).text
  const hasNewNow = now !== undefined || isNowDone
  // A Now with the same words is not a new one.
  const isNow = (item: { readonly text: string }) =>
    now !== undefined && itemKey(item.text) === keyOf(now)
  const left = hasNewNow ? takeItems(text, 'Now', (item) => !isNow(item)) : { text, removed: [] }
  text = left.text
  if (next !== undefined) {
    const wanted = new Set(next.map(keyOf))
    text = takeItems(text, 'Next', (item) => !wanted.has(itemKey(item.text))).text
    text = addItems(text, 'Next', next)
  }
  if (now !== undefined) {
    text = takeItems(text, 'Next', isNow).text
    text = addItems(text, 'Now', [now])
  }
  return withRemoved(text, isNowDone ? 'Done' : 'Next', left.removed)
}

/** Adds the lines that were taken out of Now to Done or Next, except items that are already there. */
function withRemoved(text: string, name: 'Done' | 'Next', lines: readonly string[]): string {
  const known = new Set(itemsIn(text, name).map((item) => itemKey(item.text)))
  const words = (line: string) =>
    readWords(line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[(?:[ xX]|->|→)\]\s+)?/, '').trim())
  const kept: string[] = []
  let isKept = false
  for (const line of lines) {
    if (/^\S/.test(line)) isKept = !known.has(itemKey(words(line))) && !isPlaceholder(words(line))
    if (isKept) kept.push(line)
  }
  return putLines(text, name, kept, name === 'Next' ? 'front' : 'end')
}

/** One row per decision: an existing row gets the new reasoning. */
function withDecision(
  text: string,
  { key, value }: { key: string; value: string | null },
  time: string,
): string {
  const name: SectionName = 'Key Decisions'
  const isSameDecision = (row: Readonly<Record<string, string>>) =>
    itemKey(row['Decision'] ?? '') === itemKey(asCell(key))
  if (value === null) return changeRows(text, name, isSameDecision, undefined)
  const old = rowsIn(text, name).find(isSameDecision)
  if (old === undefined) return addRow(text, name, { Decision: key, Reasoning: value, When: time })
  if (old['Reasoning'] === asCell(value)) return text
  return changeRows(text, name, isSameDecision, { Reasoning: value, When: time })
}

/** A comment that people wrote after the branch's name stays as long as the branch is the same. */
function withBranch(text: string, branch: string): string {
  const said = labelled(text, 'Branch') ?? ''
  return said === branch || said.startsWith(`${branch} `) ? text : setLabel(text, 'Branch', branch)
}

function withQuestions(text: string, { questions = [], resolved = [] }: LedgerChange): string {
  const answered = new Set(resolved.map((one) => itemKey(itemWords(one))))
  const left =
    answered.size === 0
      ? text
      : takeItems(text, 'Open Questions', (item) => answered.has(itemKey(item.text))).text
  if (questions.length === 0) return left
  const isNone = (item: { readonly text: string }) => isPlaceholder(item.text)
  return addItems(takeItems(left, 'Open Questions', isNone).text, 'Open Questions', questions)
}

/** The ledger as the next track starts with it: without the work of the old one. Unknown sections stay. */
export function withoutTrackWork(before: string): string {
  const everything = () => true
  let text = before
  for (const name of ['Goal', 'Done', 'Now', 'Next', 'Open Questions', 'Checkpoints'] as const) {
    text = takeItems(text, name, everything).text
  }
  for (const name of ['Key Decisions', 'Validation History'] as const) {
    text = changeRows(text, name, everything, undefined)
  }
  const { lines = [] } = findSection(readDocument(text), 'Working Set') ?? {}
  const files = lines.filter(({ kind, text }) => kind === 'item' && !/^\s*[-*+]\s+\*\*/.test(text))
  return spliceAll(text, files)
}
