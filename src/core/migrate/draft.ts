/**
 * What one source says, field by field, each with the lines it was read from.
 *
 * These lines make a migration verifiable: `note.ts` checks every line again, and a line whose words are not in its
 * field goes into the note.
 */

import type { NewCheckpoint } from '../event/event.ts'
import type { Block } from './blocks.ts'
import type { About, ListField, RegisterField } from './labels.ts'
import { isPlaceholder } from './labels.ts'

/** A text, or the parts of a text, and its line numbers (0-based). */
export interface Claim {
  readonly texts: readonly string[]
  readonly lines: readonly number[]
}

export type DraftRegister = RegisterField | 'title' | Exclude<About, 'updated'>
export type DraftList = ListField | 'resolvedQuestions'

/** YAML does not allow a longer key on one line. */
const MAX_KEY = 1000

export class Draft {
  readonly registers = new Map<DraftRegister, Claim>()
  readonly decisions = new Map<string, Claim & { value: string }>()
  readonly checkpoints: (Claim & { checkpoint: NewCheckpoint })[] = []
  /** Times in the source; the newest one counts. */
  readonly times: Claim[] = []
  /** Lines that only say which field follows. */
  readonly structure: number[] = []
  readonly #lists: Record<DraftList, Claim[]> = {
    thisSession: [],
    next: [],
    openQuestions: [],
    resolvedQuestions: [],
  }
  /** The name in `# Work Stream: NAME`, used if nothing else names the session. */
  stream: Claim | undefined
  /** Items that an arrow marks as current, below headings without a known field. */
  readonly arrows: Block[] = []
  /** The source says that nothing comes next. */
  clearsNext = false

  /** The first value counts: in every known kind of ledger, values further down are older. */
  set(register: DraftRegister, text: string, lines: readonly number[]): void {
    const value = text.trim()
    const known = this.registers.get(register)
    if (isPlaceholder(value) || (known !== undefined && known.texts[0] !== value)) return
    this.registers.set(register, { texts: [value], lines: [...(known?.lines ?? []), ...lines] })
  }

  add(list: DraftList, text: string, lines: readonly number[]): void {
    const value = text.trim()
    if (!isPlaceholder(value)) this.#lists[list].push({ texts: [value], lines })
    else if (list === 'next') this.clearsNext = true
  }

  /** The last value of a key counts, as in YAML. The lines of the other values go into the note. */
  decide(key: string, value: string, lines: readonly number[], parts = [value]): void {
    const [name, text] = [key.trim(), value.trim()]
    if (isPlaceholder(name) || name.length > MAX_KEY) return
    this.decisions.delete(name)
    this.decisions.set(name, { texts: [name, ...parts], value: text, lines })
  }

  check(checkpoint: NewCheckpoint, texts: readonly string[], lines: readonly number[]): void {
    this.checkpoints.push({ checkpoint, texts, lines })
  }

  /** Removes a text from its field, so that its lines go into the note. */
  drop(register: DraftRegister): void {
    this.registers.delete(register)
  }

  list(list: DraftList): readonly Claim[] {
    return this.#lists[list]
  }

  text(register: DraftRegister): string | undefined {
    return this.registers.get(register)?.texts[0]
  }

  /** Everything that is in a field. */
  claims(): Claim[] {
    return [
      ...this.registers.values(),
      ...Object.values(this.#lists).flat(),
      ...this.decisions.values(),
      ...this.checkpoints,
    ]
  }

  /** The number of fields about which the source says something. */
  fieldsSaid(): number {
    const said = (['goal', 'test', 'now'] as const).map((name) => this.registers.has(name))
    const { next, ...lists } = this.#lists
    const listed = Object.values(lists).map((list) => list.length > 0)
    const hasNext = next.length > 0 || this.clearsNext
    const others = [this.decisions.size > 0, this.checkpoints.length > 0, hasNext]
    return [...said, ...listed, ...others].filter(Boolean).length
  }
}
