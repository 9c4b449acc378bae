/** Lines as people write them: decisions (`key: why`, `**key** — why`, table rows) and phases. */

import type { NewCheckpoint } from '../event/event.ts'

/** A longer head is the first half of a sentence, not a name. */
const MAX_HEAD = 80
const SEPARATOR = /:(?:\*\*|__)?\s+|\s[\u2014\u2013-]\s+/g
const MARKS = ['**', '__', '`', '"']

/** Splits at the first colon or dash outside code. If there is none, the whole text is the key. */
export function splitDecision(text: string): { key: string; value: string } {
  for (const found of text.matchAll(SEPARATOR)) {
    if (found.index > MAX_HEAD) break
    const head = text.slice(0, found.index)
    if (isInside(head)) continue
    const key = plainKey(head)
    if (key !== '') return { key, value: text.slice(found.index + found[0].length).trim() }
  }
  return { key: plainKey(text), value: '' }
}

/** True while a code span or a quotation is open. */
function isInside(head: string): boolean {
  const count = (mark: string) => head.split(mark).length - 1
  return count('`') % 2 === 1 || count('"') % 2 === 1
}

/** The key without surrounding emphasis or code marks. */
function plainKey(head: string): string {
  const text = head.trim()
  const mark = MARKS.find((mark) => text.startsWith(mark))
  if (mark === undefined) return text.replace(/:$/, '').trim()
  const inner = text.slice(mark.length).replace(/:$/, '')
  const bare = inner.endsWith(mark) ? inner.slice(0, -mark.length) : inner
  return bare.includes(mark) ? text : bare.replace(/:$/, '').trim()
}

const RULE_ROW = /^[\s|:-]*$/
const HEAD_CELL = /^(?:decision|choice|reasoning|rationale|reason|why|when|date|time|key|value)s?$/i

/** The cells of a table row with a decision; undefined for the table's header and the rule below it. */
export function decisionCells(row: string): string[] | undefined {
  if (RULE_ROW.test(row)) return undefined
  const cells = row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
  return cells.every((cell) => HEAD_CELL.test(cell)) ? undefined : cells
}

/** `- Phase 2 (Tests): ✓ VALIDATED (12 tests)`: the form of checkpoints in hand-written ledgers. */
const PHASE =
  /^\s*(?:[-*+]\s+)?(?:\*\*)?Phase\s+([\w.-]{1,20})[^:]{0,120}:(?:\*\*)?\s*([\u2190-\u21ff\u25a0-\u25ff\u2600-\u27bf\u29d6]*)\ufe0f?\s*([A-Z][A-Z_ -]{2,20}[A-Z])\b/u

/** The checkpoint, and those of its words that a ledger shows. Its name and details have no field. */
export function readPhase(
  line: string,
): { checkpoint: NewCheckpoint; texts: string[] } | undefined {
  const [, phase, icon = '', words] = PHASE.exec(line) ?? []
  if (phase === undefined || words === undefined) return undefined
  const status = words.toLowerCase().replace(/[\s-]+/g, '_')
  return { checkpoint: { phase, status }, texts: [words, phase, ...(icon === '' ? [] : [icon])] }
}
