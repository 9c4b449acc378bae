/**
 * Turns the fields of an event file into an event, and collects problems and warnings.
 *
 * Syntax is the business of the two callers: `canonical-event.ts` reads the form that we write ourselves,
 * `parse-event.ts` all others. The meaning of the fields is decided only here.
 */

import type { Checkpoint, Decision, LedgerEvent } from './event.ts'
import { branchAndStream } from './event.ts'
import { parseInstant } from './instant.ts'
import type { Problem, ProblemCode, Warning, WarningCode } from './problem.ts'
import type { Entry, LineOf, Value } from './yaml-value.ts'

export interface EventSource {
  readonly file: string
  /** Blob id. */
  readonly id: string
  readonly text: string
}

export interface ParsedEvent {
  /** Undefined if the file does not count at all. */
  readonly event: LedgerEvent | undefined
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
}

/** Keys of older schemas and our names for them (docs/data-model.md, "Older schemas"). */
const OLDER_NAMES: Record<string, string> = {
  timestamp: 'ts',
  event_type: 'type',
  session_id: 'session',
}

/** Fields about the event itself. If the front matter has one, the body cannot override it. */
const HEAD_KEYS = new Set([
  'ts',
  'agent',
  'branch',
  'type',
  'reason',
  'session',
  'commit',
  'stream',
])

export class EventReader {
  readonly problems: Problem[] = []
  readonly warnings: Warning[] = []
  readonly #file: string
  readonly #fields = new Map<string, { value: Value; at: number; lineOf: LineOf }>()

  constructor(file: string) {
    this.#file = file
  }

  /** Adds fields. Called for the front matter first, then for the body. */
  collect(entries: readonly Entry[], lineOf: LineOf): void {
    const own = new Set<string>()
    const before = new Set(this.#fields.keys())
    for (const { key: written, value, at } of entries) {
      const key = Object.hasOwn(OLDER_NAMES, written) ? (OLDER_NAMES[written] ?? written) : written
      if (HEAD_KEYS.has(key) && before.has(key)) continue
      // An older name never overrides the field's own name.
      if (key !== written && this.#fields.has(key)) continue
      if (own.has(key)) this.warn('duplicate-key', lineOf(at), key)
      own.add(key)
      if (value.kind !== 'null') this.#fields.set(key, { value, at, lineOf })
    }
  }

  /** The event that the collected fields describe; undefined if a required field is missing or invalid. */
  event(id: string, covers: readonly LedgerEvent[]): LedgerEvent | undefined {
    const stamp = this.text('ts')
    if (stamp === undefined) return this.fail('missing-ts', 2)
    const ts = parseInstant(stamp)
    const stampField = this.#fields.get('ts')
    const stampLine = stampField?.lineOf(stampField.at)
    if (ts === undefined) return this.fail('bad-ts', stampLine)
    if (!ts.offset) this.warn('ts-without-offset', stampLine)
    const [type, session] = [this.text('type'), this.text('session')]
    // The older "unified" schema names its author only by session.
    const agent = this.text('agent') ?? session
    if (agent === undefined) return this.fail('missing-agent', 2)
    return {
      file: this.#file,
      id,
      ts: ts.instant,
      agent,
      ...branchAndStream(type, this.text('branch'), this.text('stream')),
      type,
      reason: this.text('reason'),
      session,
      commit: this.text('commit'),
      title: this.text('title'),
      goal: this.text('goal'),
      test: this.text('test'),
      now: this.text('now'),
      thisSession: this.#texts('this_session') ?? [],
      next: this.#texts('next'),
      decisions: this.#decisions(),
      checkpoints: this.#checkpoints(),
      openQuestions: this.#texts('open_questions') ?? [],
      resolvedQuestions: this.#texts('resolved_questions') ?? [],
      retracts: (this.#texts('retracts') ?? []).map((name) => name.replace(/^.*\//s, '')),
      supersedes: this.#texts('supersedes') ?? [],
      covers,
      done: undefined,
    }
  }

  /** A field as one text; undefined if it is absent or empty. */
  text(key: string): string | undefined {
    const value = this.#fields.get(key)?.value
    if (value === undefined) return undefined
    const text = value.kind === 'list' ? value.items.map(textOfItem).join('; ') : textOfItem(value)
    return text.trim() === '' ? undefined : text.trim()
  }

  /** A field as a list of texts; a single scalar is a list of one. */
  #texts(key: string): string[] | undefined {
    const value = this.#fields.get(key)?.value
    if (value === undefined) return undefined
    const items = value.kind === 'list' ? value.items : [value]
    return items.map((item) => textOfItem(item).trim()).filter((text) => text !== '')
  }

  #decisions(): Decision[] {
    const value = this.#fields.get('decisions')?.value
    if (value === undefined) return []
    const decisions = new Map<string, Decision>()
    for (const entry of decisionEntries(value)) {
      const key = entry.key.trim()
      if (key === '') continue
      decisions.delete(key)
      decisions.set(key, { key, ...decisionValue(entry.value) })
    }
    return [...decisions.values()]
  }

  #checkpoints(): Checkpoint[] {
    const field = this.#fields.get('checkpoints')
    if (field === undefined) return []
    const items = field.value.kind === 'list' ? field.value.items : [field.value]
    return items.flatMap((item) => {
      const checkpoint = item.kind === 'map' ? readCheckpoint(item.entries) : undefined
      if (checkpoint !== undefined) return checkpoint
      this.problem('checkpoint-unreadable', field.lineOf(item.at), 'checkpoints')
      return []
    })
  }

  /** Reports that the file does not count, and drops all other problems and warnings. */
  fail(code: ProblemCode, line?: number): undefined {
    this.problems.length = 0
    this.warnings.length = 0
    this.problem(code, line)
  }

  problem(code: ProblemCode, line?: number, section?: string): void {
    this.problems.push({ code, file: this.#file, line, section })
  }

  warn(code: WarningCode, line?: number, section?: string): void {
    this.warnings.push({ code, file: this.#file, line, section })
  }
}

/** The text of a list item: the `task` of a map in the older schema, else the item as written. */
export function textOfItem(value: Value): string {
  if (value.kind === 'null') return ''
  if (value.kind !== 'map') return value.text
  const task = value.entries.find((entry) => entry.key === 'task')?.value
  if (task?.kind === 'scalar') return task.text
  return value.text // `- Fixed: the parser` is a map in YAML but a sentence to people
}

function decisionEntries(value: Value): readonly Entry[] {
  if (value.kind === 'map') return value.entries
  if (value.kind === 'null') return []
  const items = value.kind === 'list' ? value.items : [value]
  return items.flatMap((item): readonly Entry[] => {
    if (item.kind === 'map') return item.entries
    // A decision without a key: its text is the key.
    if (item.kind === 'null') return []
    const { text, at } = item
    return [{ key: text, value: { kind: 'scalar', text: '', json: '', at }, at }]
  })
}

function decisionValue(value: Value): { value: Decision['value']; text: string } {
  if (value.kind === 'null') return { value: null, text: '' }
  if (value.kind === 'scalar') return { value: value.json, text: value.text }
  return { value: value.text, text: value.text }
}

function readCheckpoint(entries: readonly Entry[]): Checkpoint | undefined {
  const text = (key: string) => {
    const value = entries.find((entry) => entry.key === key)?.value
    return value?.kind === 'scalar' ? value.text.trim() : ''
  }
  const [phase, status] = [text('phase'), text('status')]
  if (phase === '' && status === '') return undefined
  return { phase, status, updated: parseInstant(text('updated'))?.instant }
}
