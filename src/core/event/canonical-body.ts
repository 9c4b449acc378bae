/**
 * A body that somebody wrote in YAML, in the canonical form of `write-event.ts`.
 *
 * Only the writing changes: what the ledger reads of it is the same, and unknown keys stay. Comments go,
 * as do anchors and tags. What YAML takes for a map and the ledger for a sentence (`- Fixed: the parser`)
 * is written as that sentence.
 */

import { LIST_KEYS, TEXT_KEYS } from './event.ts'
import { parseInstant } from './instant.ts'
import { isPlain, scalar } from './yaml-text.ts'
import type { Entry, ScalarValue, Value } from './yaml-value.ts'
import { parseYaml } from './yaml-value.ts'

/** An item or a value that is a map is read as its own text. */
const TEXTS = new Set<string>([
  ...'agent branch type session commit reason stream'.split(' '),
  ...TEXT_KEYS,
  ...LIST_KEYS,
])

/** Undefined when the text is no YAML map. */
export function canonicalBody(text: string): string | undefined {
  const parsed = parseYaml(text)
  if (parsed?.kind !== 'map') return undefined
  return parsed.entries.flatMap((entry) => pair(entry.key, asRead(entry))).join('\n')
}

/** Every map that is a text to the ledger as that text. */
function asRead({ key, value }: Entry): Value {
  if (TEXTS.has(key)) {
    return value.kind === 'list'
      ? { ...value, items: value.items.map(itemAsRead) }
      : itemAsRead(value)
  }
  if (key !== 'decisions') return value
  if (value.kind !== 'list') return decisionsAsRead(value)
  return {
    ...value,
    items: value.items.map((item) => (item.kind === 'map' ? decisionsAsRead(item) : flat(item))),
  }
}

function itemAsRead(value: Value): Value {
  const hasTask =
    value.kind === 'map' &&
    value.entries.some((entry) => entry.key === 'task' && entry.value.kind === 'scalar')
  return hasTask ? value : flat(value)
}

function decisionsAsRead(value: Value): Value {
  if (value.kind !== 'map') return value
  return {
    ...value,
    entries: value.entries.map((entry) => ({ ...entry, value: flat(entry.value) })),
  }
}

function flat(value: Value): Value {
  if (value.kind !== 'map' && value.kind !== 'list') return value
  return { kind: 'scalar', text: value.text, json: value.text, at: value.at }
}

/** `key: value`, or the key with the lines of its value below. */
function pair(key: string, value: Value): string[] {
  const name = scalar(key)
  const lines = block(value)
  return lines === undefined
    ? [`${name}: ${inline(value)}`]
    : [`${name}:`, ...lines.map((line) => `  ${line}`)]
}

/** The lines of a list or map that is not empty. */
function block(value: Value): string[] | undefined {
  if (value.kind === 'map' && value.entries.length > 0) {
    return value.entries.flatMap((entry) => pair(entry.key, entry.value))
  }
  if (value.kind !== 'list' || value.items.length === 0) return undefined
  return value.items.flatMap((item) => {
    const lines = block(item) ?? [inline(item)]
    return lines.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
  })
}

function inline(value: Value): string {
  if (value.kind === 'scalar') return scalarText(value)
  if (value.kind === 'null') return 'null'
  return value.kind === 'list' ? '[]' : '{}'
}

/** Numbers, true and false as they were written; times without quotes, like the writer's own. */
function scalarText({ text, json }: ScalarValue): string {
  if (typeof json !== 'string') return text
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text)
  return isPlain(text) || !isTime || parseInstant(text) === undefined ? scalar(text) : text
}
