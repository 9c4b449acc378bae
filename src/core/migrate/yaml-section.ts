/** One section of a YAML handoff: its value, and the lines that each part of it stands on. */

import { lineLookup } from '../event/yaml-value.ts'
import { salvage } from '../event/salvage.ts'
import type { Value } from '../event/yaml-value.ts'
import type { Field } from './labels.ts'

export interface YamlSection {
  readonly key: string
  readonly at: number
  readonly lines: readonly string[]
}

/** The keys that `salvage` knows, by field. */
const KNOWN_KEYS: Record<Field, string> = {
  goal: 'goal',
  test: 'test',
  now: 'now',
  thisSession: 'this_session',
  next: 'next',
  decisions: 'decisions',
  openQuestions: 'open_questions',
  checkpoints: 'checkpoints',
}

interface Item {
  readonly text: string
  readonly value: Value
  readonly lines: readonly number[]
}

/** A longer line is a list, in which nothing is looked for item by item. */
const MAX_LINE = 2000

/** One section, under the key that `salvage` knows it by. */
export class SectionReader {
  readonly value: Value | undefined
  readonly #section: YamlSection
  readonly #text: string

  constructor(section: YamlSection, field: Field | undefined) {
    this.#section = section
    const [head = '', ...rest] = section.lines
    const renamed = `${KNOWN_KEYS[field ?? 'goal']}${head.slice(section.key.length)}`
    this.#text = [renamed, ...rest].join('\n').trimEnd()
    this.value = field === undefined ? undefined : salvage(this.#text).entries[0]?.value
  }

  all(): number[] {
    return this.#section.lines.map((_, i) => this.#section.at + i)
  }

  oneText(): string {
    const { value } = this
    if (value === undefined || value.kind === 'null') return ''
    if (value.kind === 'list') return value.items.map(textOfItem).join('; ')
    return this.whole(value.text, this.all())
  }

  isEmptyList(): boolean {
    return this.value?.kind === 'list' && this.value.items.length === 0
  }

  /** The items of a list, each with its lines; a lone scalar is a list of one. */
  items(): Item[] {
    const values = this.value?.kind === 'list' ? this.value.items : [this.value ?? nothing]
    return this.withLines(
      values.filter(({ kind }) => kind !== 'null'),
      ({ at }) => at,
    ).map(({ part: value, lines }) => ({
      text: this.whole(textOfItem(value), lines),
      value,
      lines,
    }))
  }

  /** `created PR #47`: a comment to YAML, half a sentence to people. */
  whole(text: string, lines: readonly number[]): string {
    for (const at of lines) {
      const line = this.#section.lines[at - this.#section.at] ?? ''
      if (text === '' || line.length > MAX_LINE) continue
      const found = line.indexOf(`${text} #`)
      if (found !== -1) return line.slice(found).trim()
    }
    return text
  }

  /** Each part owns the lines from its own to the next one's. */
  withLines<T>(parts: readonly T[], at: (part: T) => number): { part: T; lines: number[] }[] {
    const lineOf = lineLookup(this.#text, 0)
    const starts = parts.map((part) => lineOf(at(part)))
    return parts.map((part, i) => {
      const start = starts[i] ?? 0
      const end = Math.max(start + 1, starts[i + 1] ?? this.#section.lines.length)
      const length = Math.min(end, this.#section.lines.length) - start
      return { part, lines: Array.from({ length }, (_, n) => this.#section.at + start + n) }
    })
  }
}

const nothing: Value = { kind: 'null', at: 0 }

/** The `task` of a list of tasks, else the item as written. */
function textOfItem(value: Value): string {
  if (value.kind === 'null') return ''
  if (value.kind !== 'map') return value.text
  const task = value.entries.find(({ key }) => key === 'task')?.value
  return task?.kind === 'scalar' ? task.text : value.text
}
