/**
 * Event files as they exist in the wild, read into `LedgerEvent`s.
 *
 * Tolerant, never silent: whatever does not count is returned as a problem with its file and line.
 * Nothing here throws on bad input, and nothing depends on the machine, the clock or the locale.
 */

import type { Checkpoint, Decision, LedgerEvent } from './event.ts'
import { branchAndStream } from './event.ts'
import { MAX_EVENT_BYTES } from './event-bytes.ts'
import { insideFence } from './fence.ts'
import { splitFrontMatter } from './front-matter.ts'
import { parseInstant } from './instant.ts'
import type { LineOf } from './line-lookup.ts'
import { lineLookup } from './line-lookup.ts'
import type { Problem, ProblemCode, Warning, WarningCode } from './problem.ts'
import { withoutGuard } from './rename-guard.ts'
import { salvage } from './salvage.ts'
import { takeCovers } from './read-snapshot.ts'
import { SNAPSHOT_TYPE } from './snapshot.ts'
import type { Entry, Value } from './yaml-value.ts'
import { parseYaml } from './yaml-value.ts'

export interface EventSource {
  readonly file: string
  /** Blob id. */
  readonly id: string
  readonly text: string
}

export interface ParsedEvent {
  /** Undefined when the file does not count at all. */
  readonly event: LedgerEvent | undefined
  readonly problems: readonly Problem[]
  readonly warnings: readonly Warning[]
}

/** The keys of the older schemas that mean one of ours (docs/data-model.md, "Older schemas"). */
const OLDER_NAMES: Record<string, string> = {
  timestamp: 'ts',
  event_type: 'type',
  session_id: 'session',
}

/** What an event says about itself stands in the front matter; only there, or where it is absent. */
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

/** Parses one event file. Never throws. */
export function parseEvent(source: EventSource): ParsedEvent {
  const reader = new EventReader(source)
  const event = reader.read()
  return { event, problems: reader.problems, warnings: reader.warnings }
}

class EventReader {
  readonly problems: Problem[] = []
  readonly warnings: Warning[] = []
  readonly #source: EventSource
  readonly #fields = new Map<string, { value: Value; at: number; lineOf: LineOf }>()

  constructor(source: EventSource) {
    this.#source = source
  }

  read(): LedgerEvent | undefined {
    const { text } = this.#source
    if (text.length > MAX_EVENT_BYTES) return this.#fail('too-large')
    const split = splitFrontMatter(withoutGuard(text))
    if (typeof split === 'string') return this.#fail(split, 1)
    const front = parseYaml(split.front)
    if (front?.kind !== 'map') return this.#fail('front-matter-yaml', 2)
    this.#collect(front.entries, lineLookup(split.front, 2))
    const inside = insideFence(split.body)
    const bodyLine = split.bodyLine + inside.skipped
    const { body, covers } = this.#takeCovers(inside.text, bodyLine)
    this.#readBody(body, bodyLine)
    const head = this.#readHead()
    if (head === undefined) return undefined
    return { ...head, ...this.#readSections(), covers, done: undefined }
  }

  #readHead() {
    const stamp = this.#text('ts')
    if (stamp === undefined) return this.#fail('missing-ts', 2)
    const ts = parseInstant(stamp)
    if (ts === undefined) return this.#fail('bad-ts', this.#line('ts'))
    const type = this.#text('type')
    if (!ts.offset) this.#warn('ts-without-offset', this.#line('ts'))
    // The older "unified" schema names its author only by session.
    const agent = this.#text('agent') ?? this.#text('session')
    if (agent === undefined) return this.#fail('missing-agent', 2)
    return {
      file: this.#source.file,
      id: this.#source.id,
      ts: ts.instant,
      agent,
      ...branchAndStream(type, this.#text('branch'), this.#text('stream')),
      type,
      reason: this.#text('reason'),
      session: this.#text('session'),
      commit: this.#text('commit'),
    }
  }

  /** A snapshot's list is one line an event, and long: no YAML library reads it. */
  #takeCovers(body: string, bodyLine: number) {
    if (this.#text('type') !== SNAPSHOT_TYPE) return { body, covers: [] }
    const { rest, covers, unreadable } = takeCovers(body)
    for (const i of unreadable) this.#problem('section-unreadable', bodyLine + i, 'covers')
    return { body: rest, covers }
  }

  #readBody(body: string, firstLine: number): void {
    const parsed = parseYaml(body.trimEnd())
    if (parsed?.kind === 'null') return
    const lineOf = lineLookup(body, firstLine)
    if (parsed?.kind === 'map') return this.#collect(parsed.entries, lineOf)
    if (parsed?.kind === 'list') return this.#problem('body-not-a-map', lineOf(parsed.at))
    if (parsed !== undefined) return // free text
    const rescued = salvage(body.trimEnd())
    if (rescued.entries.length === 0 && rescued.lost.length === 0) return // free text
    this.#warn('salvaged', firstLine)
    this.#collect(rescued.entries, lineOf)
    for (const { section, at } of rescued.lost) {
      this.#problem('section-unreadable', lineOf(at), section)
    }
  }

  #collect(entries: readonly Entry[], lineOf: LineOf): void {
    const own = new Set<string>()
    const isKnown = new Set(this.#fields.keys())
    for (const { key: written, value, at } of entries) {
      const key = Object.hasOwn(OLDER_NAMES, written) ? (OLDER_NAMES[written] ?? written) : written
      if (HEAD_KEYS.has(key) && isKnown.has(key)) continue
      // An older name never overrides the field's own name.
      if (key !== written && this.#fields.has(key)) continue
      if (own.has(key)) this.#warn('duplicate-key', lineOf(at), key)
      own.add(key)
      if (value.kind !== 'null') this.#fields.set(key, { value, at, lineOf })
    }
  }

  #readSections() {
    return {
      title: this.#text('title'),
      goal: this.#text('goal'),
      test: this.#text('test'),
      now: this.#text('now'),
      thisSession: this.#texts('this_session') ?? [],
      next: this.#texts('next'),
      decisions: this.#decisions(),
      checkpoints: this.#checkpoints(),
      openQuestions: this.#texts('open_questions') ?? [],
      resolvedQuestions: this.#texts('resolved_questions') ?? [],
      retracts: (this.#texts('retracts') ?? []).map((name) =>
        name.slice(name.lastIndexOf('/') + 1),
      ),
    }
  }

  /** A field as one text; undefined when it is absent or empty. */
  #text(key: string): string | undefined {
    const value = this.#fields.get(key)?.value
    if (value === undefined) return undefined
    const text = value.kind === 'list' ? value.items.map(itemText).join('; ') : itemText(value)
    return text.trim() === '' ? undefined : text.trim()
  }

  /** A field as a list of texts; a lone scalar is a list of one. */
  #texts(key: string): string[] | undefined {
    const value = this.#fields.get(key)?.value
    if (value === undefined) return undefined
    const items = value.kind === 'list' ? value.items : [value]
    return items.map((item) => itemText(item).trim()).filter((text) => text !== '')
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
      this.#problem('checkpoint-unreadable', field.lineOf(item.at), 'checkpoints')
      return []
    })
  }

  #line(key: string): number | undefined {
    const field = this.#fields.get(key)
    return field?.lineOf(field.at)
  }

  /** The file does not count: nothing else about it matters. */
  #fail(code: ProblemCode, line?: number): undefined {
    this.problems.length = 0
    this.warnings.length = 0
    this.#problem(code, line)
  }

  #problem(code: ProblemCode, line?: number, section?: string): void {
    this.problems.push({ code, file: this.#source.file, line, section })
  }

  #warn(code: WarningCode, line?: number, section?: string): void {
    this.warnings.push({ code, file: this.#source.file, line, section })
  }
}

/** The text of a list item: the `task` of the older schema's maps, else the item as written. */
function itemText(value: Value): string {
  if (value.kind === 'null') return ''
  if (value.kind !== 'map') return value.text
  const task = value.entries.find((entry) => entry.key === 'task')?.value
  if (task?.kind === 'scalar') return task.text
  return value.text // `- Fixed: the parser` is a map to YAML and a sentence to people
}

function decisionEntries(value: Value): readonly Entry[] {
  if (value.kind === 'map') return value.entries
  if (value.kind === 'null') return []
  const items = value.kind === 'list' ? value.items : [value]
  return items.flatMap((item): readonly Entry[] => {
    if (item.kind === 'map') return item.entries
    // A decision without a key: its text is the key.
    return item.kind === 'null' ? [] : [{ key: item.text, value: emptyText(item.at), at: item.at }]
  })
}

function emptyText(at: number): Value {
  return { kind: 'scalar', text: '', json: '', at }
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
