/**
 * Rewrites a YAML body from somebody else in the canonical form of `write-event.ts`.
 *
 * Only the notation changes: the ledger reads the same values, and unknown keys stay. Comments, anchors and tags are
 * dropped. An item that is a map in YAML but a sentence in the ledger (`- Fixed: the parser`) is written as that
 * sentence.
 */

import { LIST_KEYS, TEXT_KEYS } from './event.ts'
import { parseInstant } from './instant.ts'
import { isPlain, scalar } from './yaml-text.ts'
import type { Entry, ScalarValue, Value } from './yaml-value.ts'
import { parseYaml } from './yaml-value.ts'

/** Fields that describe the event itself. */
const HEAD = 'agent branch type session commit reason stream'.split(' ')

/** Keys whose values and items are texts, so that a map is read as its source text. */
const TEXTS = new Set<string>([...HEAD, ...TEXT_KEYS, ...LIST_KEYS])

export interface GivenBody {
  /** What the body says about the event itself, such as `ts` and `type`. */
  readonly head: Readonly<Record<string, string>>
  /** All other keys. */
  readonly body: string
}

/** Undefined if the text is not a YAML map. */
export function canonicalBody(text: string): GivenBody | undefined {
  const parsed = parseYaml(text)
  if (parsed?.kind !== 'map') return undefined
  const head: [string, string][] = []
  const lines: string[] = []
  for (const entry of parsed.entries) {
    const value = asRead(entry)
    const isHead = entry.key === 'ts' || HEAD.includes(entry.key)
    if (isHead && value.kind === 'scalar') {
      if (value.text.trim() !== '') head.push([entry.key, value.text])
    } else lines.push(...pair(entry.key, value))
  }
  return { head: Object.fromEntries(head), body: lines.join('\n') }
}

/** Replaces every map that the ledger reads as a text by that text. */
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

/** `key: value`, or the key followed by the lines of its value. */
function pair(key: string, value: Value): string[] {
  const name = scalar(key)
  const lines = block(value)
  return lines === undefined
    ? [`${name}: ${inline(value)}`]
    : [`${name}:`, ...lines.map((line) => `  ${line}`)]
}

/** The lines of a non-empty list or map; undefined for other values. */
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

/** Numbers, true and false as written; times without quotes, as `write-event.ts` writes them. */
function scalarText({ text, json }: ScalarValue): string {
  if (typeof json !== 'string') return text
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text)
  return isPlain(text) || !isTime || parseInstant(text) === undefined ? scalar(text) : text
}
