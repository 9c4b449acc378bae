/**
 * Changes of an active ledger as functions from text to text. Each names what is to be different; all
 * other bytes stay, and the same change once more changes nothing.
 */

import { readDocument } from '../document/document.ts'
import { itemKey } from '../event/item-text.ts'
import { escapeTitle, oneLine } from '../text/escape-markdown.ts'
import type { EntryPath } from './front-entries.ts'
import { setEntry } from './front-entries.ts'
import {
  isPlaceholder,
  addItems,
  findSection,
  insertLines,
  itemLine,
  itemsIn,
  putLines,
  takeItems,
  withSection,
} from './sections.ts'
import type { SectionName } from './sections.ts'
import { addRow, asCell, changeRows, rowsIn } from './tables.ts'
import { addFiles, setLabel } from './working-set.ts'

export interface LedgerChange {
  /** Keys of the front matter; `null` is written as such. */
  readonly fields?: Readonly<Partial<Record<FieldName, string | null>>>
  readonly validation?: Readonly<
    Partial<Record<ValidationName, string | number | null | readonly string[]>>
  >
  readonly title?: string | undefined
  readonly goal?: string | undefined
  readonly test?: string | undefined
  readonly branch?: string | undefined
  readonly done?: readonly string[]
  /** The old one goes to the top of Next, or to Done with `isNowDone`. */
  readonly now?: string | undefined
  readonly isNowDone?: boolean
  /** The whole list. */
  readonly next?: readonly string[] | undefined
  /** A value of null takes the row out. */
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
  /** Local time of the rows, `HH:MM`. */
  readonly time: string
}

export type FieldName =
  | 'updated'
  | 'session_id'
  | 'platform'
  | 'bound_track'
  | 'bound_bead'
  | 'mode'
  | 'tdd_phase'
  | 'heartbeat'

type ValidationName = 'gates_passed' | 'current_gate' | 'retries' | 'last_failure'

export function changeLedger(before: string, change: LedgerChange): string {
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
  return setEntry(readDocument(text), path as EntryPath, value)
}

/** `bead:` and `track:` of Active Task; what people wrote beside them stays. */
function withTask(text: string, key: 'bead' | 'track', value: string | null): string {
  const ready = withSection(text, 'Active Task')
  const document = readDocument(ready)
  const section = findSection(document, 'Active Task')
  const line = `${key}: ${value === null ? 'none' : oneLine(value, '')}`
  const old = section?.lines.find(
    (one) => one.kind !== 'code' && new RegExp(`^\\s*(?:[-*]\\s+)?${key}:`, 'i').test(one.text),
  )
  if (old === undefined) {
    if (value === null || section?.heading === undefined) return text
    const other = section.lines.find(
      (one) => one.kind !== 'code' && /^(?:bead|track):/.test(one.text),
    )
    const at = other?.start ?? section.heading.end
    return insertLines(document, at, other === undefined ? ['', line] : [line])
  }
  const lead = /^\s*(?:[-*]\s+)?/.exec(old.text)?.[0] ?? ''
  return `${ready.slice(0, old.start)}${lead}${line}${ready.slice(old.start + old.text.length)}`
}

function withTitle(text: string, title: string): string {
  const document = readDocument(text)
  const heading = document.sections.find(({ level }) => level === 1)?.heading
  const line = `# ${escapeTitle(oneLine(title, ''))}`
  if (heading === undefined)
    return insertLines(document, document.sections[0]?.content.start ?? 0, [line, ''])
  return text.slice(0, heading.start) + line + text.slice(heading.start + heading.text.length)
}

/** Its words are replaced; comments, tables and code in the section stay. */
function withGoal(text: string, goal: string): string {
  const ready = withSection(text, 'Goal')
  const [first, ...others] = itemsIn(ready, 'Goal')
  // A bar would begin a table.
  const line = itemLine(goal).replace(/^\|/, '\\|')
  if (first === undefined) {
    const document = readDocument(ready)
    const section = findSection(document, 'Goal')
    if (section?.heading === undefined) return text
    return insertLines(document, section.heading.end, ['', line])
  }
  const eol = /\r?\n?$/.exec(ready.slice(first.start, first.end))?.[0] ?? ''
  const less = others.reduceRight(
    (left, { start, end }) => left.slice(0, start) + left.slice(end),
    ready,
  )
  return `${less.slice(0, first.start)}${line}${eol}${less.slice(first.end)}`
}

function withState(before: string, change: LedgerChange): string {
  const { now, next, isNowDone = false, done = [] } = change
  const keyOf = (item: string) => itemKey(itemLine(item))
  const finished = new Set(done.map(keyOf))
  const isDone = (item: { readonly text: string }) => finished.has(itemKey(item.text))
  let text = addItems(before, 'Done', done)
  if (done.length > 0)
    for (const name of ['Now', 'Next'] as const) text = takeItems(text, name, isDone).text
  const hasNewNow = now !== undefined || isNowDone
  // The same words again are no new Now.
  const isOld = (item: { readonly text: string }) =>
    now === undefined || itemKey(item.text) !== keyOf(now)
  const left = hasNewNow ? takeItems(text, 'Now', (item) => isOld(item)) : { text, removed: [] }
  text = left.text
  if (next !== undefined) {
    const wanted = new Set(next.map(keyOf))
    text = takeItems(text, 'Next', (item) => !wanted.has(itemKey(item.text))).text
    text = addItems(text, 'Next', next)
  }
  if (now !== undefined) {
    const isNow = (item: { readonly text: string }) => itemKey(item.text) === keyOf(now)
    text = takeItems(text, 'Next', isNow).text
    text = addItems(text, 'Now', [now])
  }
  return withRemoved(text, isNowDone ? 'Done' : 'Next', left.removed)
}

/** Lines that were taken out of Now, at their new place; what is there already is not said twice. */
function withRemoved(text: string, name: 'Done' | 'Next', lines: readonly string[]): string {
  const known = new Set(itemsIn(text, name).map((item) => itemKey(item.text)))
  const words = (line: string) =>
    line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[(?:[ xX]|->|→)\]\s+)?/, '').trim()
  const kept: string[] = []
  let isKept = false
  for (const line of lines) {
    if (/^\S/.test(line)) isKept = !known.has(itemKey(words(line))) && !isPlaceholder(words(line))
    if (isKept) kept.push(line)
  }
  return putLines(text, name, kept, name === 'Next' ? 'front' : 'end')
}

/** A decision that is there gets the new reasoning; one row a decision. */
function withDecision(
  text: string,
  { key, value }: { key: string; value: string | null },
  time: string,
): string {
  const name: SectionName = 'Key Decisions'
  const isIt = (row: Readonly<Record<string, string>>) =>
    itemKey(row['Decision'] ?? '') === itemKey(asCell(key))
  if (value === null) return changeRows(text, name, isIt, undefined)
  const old = rowsIn(text, name).find(isIt)
  if (old === undefined) return addRow(text, name, { Decision: key, Reasoning: value, When: time })
  if (old['Reasoning'] === asCell(value)) return text
  return changeRows(text, name, isIt, { Reasoning: value, When: time })
}

/** What people say of the branch behind its name stays while it is the same branch. */
function withBranch(text: string, branch: string): string {
  const line = findSection(readDocument(text), 'Working Set')?.lines.find((one) =>
    one.text.startsWith('**Branch:**'),
  )
  const said = line?.text.replace(/^\*\*Branch:\*\*\s*/, '') ?? ''
  return said === branch || said.startsWith(`${branch} `) ? text : setLabel(text, 'Branch', branch)
}

function withQuestions(text: string, { questions = [], resolved = [] }: LedgerChange): string {
  const answered = new Set(resolved.map((one) => itemKey(itemLine(one))))
  const left =
    answered.size === 0
      ? text
      : takeItems(text, 'Open Questions', (item) => answered.has(itemKey(item.text))).text
  if (questions.length === 0) return left
  const isNone = (item: { readonly text: string }) => isPlaceholder(item.text)
  return addItems(takeItems(left, 'Open Questions', isNone).text, 'Open Questions', questions)
}
