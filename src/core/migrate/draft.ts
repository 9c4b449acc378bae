/**
 * What one source says, field by field, each with the lines it was read from.
 *
 * The lines are what makes a migration provable: `note.ts` looks at every line again, and a line
 * whose words are not in its field goes into the note.
 */

import type { NewCheckpoint } from '../event/event.ts'
import type { Block } from './blocks.ts'
import type { About, ListField, RegisterField } from './labels.ts'
import { isPlaceholder } from './labels.ts'

/** A text, or the parts of one, and the lines (0-based) it stands on. */
export interface Claim {
  readonly texts: readonly string[]
  readonly lines: readonly number[]
}

export type DraftRegister = RegisterField | 'title' | Exclude<About, 'updated'>
export type DraftList = ListField | 'resolvedQuestions'

/** YAML takes no longer key on one line. */
const MAX_KEY = 1000

export class Draft {
  readonly registers = new Map<DraftRegister, Claim>()
  readonly decisions = new Map<string, Claim & { value: string }>()
  readonly checkpoints: (Claim & { checkpoint: NewCheckpoint })[] = []
  /** Times that the source gives itself; the newest one counts. */
  readonly times: Claim[] = []
  /** Lines that only say which field follows. */
  readonly structure: number[] = []
  readonly #lists: Record<DraftList, Claim[]> = {
    thisSession: [],
    next: [],
    openQuestions: [],
    resolvedQuestions: [],
  }
  /** What `# Work Stream: NAME` names, if nothing else names the session. */
  stream: Claim | undefined
  /** Items that an arrow marks as what goes on, below headings that say nothing of it. */
  readonly arrows: Block[] = []
  /** The source says that nothing comes next. */
  clearsNext = false

  /** The first one counts: what stands further down is older in every ledger there is. */
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

  /** The last value of a key counts, as in YAML; the lines of the others go into the note. */
  decide(key: string, value: string, lines: readonly number[], parts = [value]): void {
    const [name, text] = [key.trim(), value.trim()]
    if (isPlaceholder(name) || name.length > MAX_KEY) return
    this.decisions.delete(name)
    this.decisions.set(name, { texts: [name, ...parts], value: text, lines })
  }

  check(checkpoint: NewCheckpoint, texts: readonly string[], lines: readonly number[]): void {
    this.checkpoints.push({ checkpoint, texts, lines })
  }

  /** Takes a text out of its field: its lines go into the note. */
  drop(register: DraftRegister): void {
    this.registers.delete(register)
  }

  list(list: DraftList): readonly Claim[] {
    return this.#lists[list]
  }

  text(register: DraftRegister): string | undefined {
    return this.registers.get(register)?.texts[0]
  }

  /** Everything that a field holds. */
  claims(): Claim[] {
    return [
      ...this.registers.values(),
      ...Object.values(this.#lists).flat(),
      ...this.decisions.values(),
      ...this.checkpoints,
    ]
  }

  /** How many fields the source says something in. */
  fieldsSaid(): number {
    const said = (['goal', 'test', 'now'] as const).map((name) => this.registers.has(name))
    const { next, ...lists } = this.#lists
    const listed = Object.values(lists).map((list) => list.length > 0)
    const hasNext = next.length > 0 || this.clearsNext
    const others = [this.decisions.size > 0, this.checkpoints.length > 0, hasNext]
    return [...said, ...listed, ...others].filter(Boolean).length
  }
}
