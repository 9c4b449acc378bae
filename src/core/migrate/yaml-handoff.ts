/**
 * YAML handoffs: `goal`, `now`, `done_this_session`, `questions`, `decisions`, `next`, and much more.
 *
 * One in six real-world handoffs is not valid YAML. Each section is therefore read separately, with the same recovery
 * as event bodies (`salvage.ts`). Sections without a field go into the note unchanged.
 */

import { parseInstant } from '../event/instant.ts'
import { textOfItem } from '../event/event-reader.ts'
import type { YamlSection } from '../event/salvage.ts'
import { salvageSection, splitSections } from '../event/salvage.ts'
import type { Entry, Value } from '../event/yaml-value.ts'
import { lineLookup } from '../event/yaml-value.ts'
import { splitDecision } from './ledger-lines.ts'
import { Draft } from './draft.ts'
import { aboutOf, fieldOf } from './labels.ts'
import type { ReadSource } from './ledger-markdown.ts'
import { setAbout } from './metadata.ts'

export function readYamlHandoff(text: string): ReadSource {
  const lines = text.split('\n')
  const draft = new Draft()
  const parents: (number | undefined)[] = lines.map(() => undefined)
  for (const section of splitSections(text)) {
    const [head, ...below] = section.lines.map(({ row }) => row)
    for (const row of below) parents[row] = head
    readSection(section, draft, parents)
  }
  const isRule = (line: string) => /^(?:---|\.\.\.)\s*$/.test(line)
  const rules = new Set(lines.flatMap((line, i) => (isRule(line) ? [i] : [])))
  return { draft, source: { lines, parents, rules } }
}

/** The number of top-level keys for which a ledger has a field. */
export function knownKeys(text: string): number {
  const keys = splitSections(text).map(({ key }) => key)
  return new Set(keys.filter((key) => fieldOf(key) !== undefined)).size
}

function readSection(section: YamlSection, draft: Draft, parents: (number | undefined)[]): void {
  const field = fieldOf(section.key)
  const about = field === undefined ? aboutOf(section.key) : undefined
  if (field === undefined && about === undefined) return
  const read = new SectionReader(section)
  if (read.value === undefined) {
    if (field === 'openQuestions') readQuestions(section, draft)
    return
  }
  if (about !== undefined) return setAbout(draft, about, read.oneText(), read.rows)
  if (field === 'goal' || field === 'now' || field === 'test') {
    // A `test:` map contains results by name, not a command.
    if (field === 'test' && read.value.kind === 'map') return
    draft.set(field, read.oneText(), read.rows)
  } else if (field === 'decisions') readDecisions(read, draft)
  else if (field === 'checkpoints') readCheckpoints(read, draft)
  else if (field !== undefined) {
    for (const { text, lines } of read.items()) draft.add(field, text, lines)
    if (field === 'next' && read.isEmptyList()) draft.clearsNext = true
  }
  draft.structure.push(read.rows[0] ?? 0)
  for (const { lines } of read.items()) for (const at of lines.slice(1)) parents[at] = lines[0]
}

function readDecisions(read: SectionReader, draft: Draft): void {
  const decide = (entry: Entry, lines: readonly number[]) => {
    const text = entry.value.kind === 'null' ? '' : entry.value.text
    draft.decide(entry.key, read.whole(text, lines), lines)
  }
  if (read.value?.kind === 'map') {
    for (const { part, lines } of read.withLines(read.value.entries)) decide(part, lines)
    return
  }
  for (const { text, value, lines } of read.items()) {
    const entry = value.kind === 'map' ? value.entries[0] : undefined
    if (entry !== undefined) decide(entry, lines)
    else {
      const { key, value } = splitDecision(text)
      draft.decide(key, value, lines)
    }
  }
}

function readCheckpoints(read: SectionReader, draft: Draft): void {
  for (const { value, lines } of read.items()) {
    if (value.kind !== 'map') continue
    const text = (name: string) => {
      const found = value.entries.find(({ key }) => key === name)?.value
      return found?.kind === 'scalar' && found.text.trim() !== '' ? found.text.trim() : undefined
    }
    // An invalid time would make the checkpoint unreadable, so its line goes into the note.
    const updated = parseInstant(text('updated') ?? '') === undefined ? undefined : text('updated')
    const checkpoint = { phase: text('phase'), status: text('status'), updated }
    const texts = Object.values(checkpoint).filter((part) => part !== undefined)
    if (checkpoint.phase ?? checkpoint.status) draft.check(checkpoint, texts, lines)
  }
}

/** `[Which port?, Why so?]` is not valid YAML, but a question ends at its question mark. */
function readQuestions({ key, lines }: YamlSection, draft: Draft): void {
  const inline = lines.map(({ text }) => text).join(' ')
  const inner = /^\s*\[(.*)\]\s*$/s.exec(inline.slice(key.length + 1))?.[1]
  const rows = lines.map(({ row }) => row)
  const questions = inner?.split(/(?<=\?)\s*,\s*/) ?? []
  for (const question of questions) draft.add('openQuestions', question, rows)
}

/** A longer line is a list that is not searched item by item. */
const MAX_LINE = 2000

/** The value of one section, and the rows of each of its parts. */
class SectionReader {
  readonly value: Value | undefined
  readonly rows: readonly number[]
  readonly #lines: readonly string[]

  constructor({ lines }: YamlSection) {
    this.rows = lines.map(({ row }) => row)
    this.#lines = lines.map(({ text }) => text)
    // Parsed separately, so that offsets are relative to the section.
    const [own] = splitSections(this.#lines.join('\n').trimEnd())
    this.value = own && salvageSection(own).entries[0]?.value
  }

  oneText(): string {
    const { value } = this
    if (value === undefined || value.kind === 'null') return ''
    if (value.kind === 'list') return value.items.map(textOfItem).join('; ')
    return this.whole(value.text, this.rows)
  }

  isEmptyList(): boolean {
    return this.value?.kind === 'list' && this.value.items.length === 0
  }

  /** The items of a list, each with its lines. A single scalar is a list of one; a map is flattened. */
  items() {
    const parts = partsOf(this.value ?? nothing).filter(({ value }) => value.kind !== 'null')
    return this.withLines(parts).map(({ part: { key, value }, lines }) => {
      const text = key === undefined ? textOfItem(value) : `${key}: ${textOfItem(value)}`
      return { text: this.whole(text, lines), value, lines }
    })
  }

  /** Restores text after a `#`: `created PR #47` has a comment in YAML, but is one sentence to people. */
  whole(text: string, rows: readonly number[]): string {
    for (const row of rows) {
      const line = this.#lines[row - (this.rows[0] ?? 0)] ?? ''
      if (text === '' || line.length > MAX_LINE) continue
      const found = line.indexOf(`${text} #`)
      if (found !== -1) return line.slice(found).trim()
    }
    return text
  }

  /** Each part includes the rows up to the next part. */
  withLines<T extends { readonly at: number }>(
    parts: readonly T[],
  ): { part: T; lines: number[] }[] {
    const lineOf = lineLookup(this.#lines.join('\n'), 0)
    const starts = parts.map(({ at }) => lineOf(at))
    return parts.map((part, i) => {
      const start = starts[i] ?? 0
      const end = Math.max(start + 1, starts[i + 1] ?? this.rows.length)
      return { part, lines: this.rows.slice(start, end) }
    })
  }
}

const nothing: Value = { kind: 'null', at: 0 }

interface ListPart {
  /** The key of a text, as in `later: the docs`. The key of a list, as in `later: [a, b]`, is dropped. */
  readonly key: string | undefined
  readonly value: Value
  readonly at: number
}

function partsOf(value: Value): ListPart[] {
  if (value.kind === 'list')
    return value.items.map((item) => ({ key: undefined, value: item, at: item.at }))
  const isOne = value.kind !== 'map' || value.entries.some(({ key }) => key === 'task')
  if (isOne) return [{ key: undefined, value, at: value.at }]
  return value.entries.flatMap(({ key, value, at }) =>
    value.kind === 'list' ? partsOf(value) : [{ key, value, at }],
  )
}
