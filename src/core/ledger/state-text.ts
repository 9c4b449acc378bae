/**
 * A join state as text, for the cache: JSON that contains each referenced event once.
 *
 * Data is stored by column, not by row, because parsing thousands of small arrays is most of the cost of reading JSON.
 * Events are referenced by index. A value that equals its own key (as most items do) is stored as 0.
 */

import type { Instant } from '../event/instant.ts'
import type { JoinState, Origin, Sections } from './join-state.ts'

/** The stored properties of an event. */
const COLUMNS = ['file', 'id', 'ts', 'agent', 'branch', 'type', 'stream', 'isArchived'] as const

type Origins = {
  readonly [Name in keyof Origin]: readonly (NonNullable<Origin[Name]> | null)[]
}

interface Entries {
  readonly keys: readonly string[]
  readonly values: readonly unknown[]
  readonly by: readonly number[]
  /** For items only. */
  readonly last?: readonly number[]
}

interface StateJson extends Pick<JoinState, 'eventCount' | 'problems'> {
  readonly latest?: Instant | undefined
  readonly retracted: readonly string[]
  readonly archived: readonly string[]
  readonly origins: Origins
  readonly sections: { readonly [Name in keyof Sections]: Entries }
}

/** Yields pieces: the text of many events and its bytes would otherwise dominate memory use. */
export function writeState(state: JoinState): Iterable<string> {
  const indexes = new Map<Origin, number>()
  const indexOf = (by: Origin): number => {
    const index = indexes.get(by) ?? indexes.size
    indexes.set(by, index)
    return index
  }
  const columns = Object.entries(state.sections).map(([name, map]: [string, AnySection]) => {
    const [keys, entries] = [[...map.keys()], [...map.values()]]
    const section: Entries = {
      keys,
      values: entries.map(({ value }, i) => (value === keys[i] ? 0 : value)),
      by: entries.map(({ by }) => indexOf(by)),
    }
    if (name !== 'items') return [name, section]
    return [name, { ...section, last: entries.map(({ by, last = by }) => indexOf(last)) }]
  })
  const sections = Object.fromEntries(columns) as StateJson['sections']
  const events = [...indexes.keys()]
  const columnOf = (name: keyof Origins): unknown => events.map((by) => by[name] ?? null)
  const { retracted, archived, ...rest } = state
  const json: StateJson = {
    ...rest,
    retracted: [...retracted],
    archived: [...archived],
    origins: Object.fromEntries(COLUMNS.map((name) => [name, columnOf(name)])) as Origins,
    sections,
  }
  return jsonPieces(json)
}

/** Number of array elements that are written together. */
const PIECE = 5000

function* jsonPieces(json: unknown): Generator<string> {
  if (Array.isArray(json)) {
    for (let at = 0; at === 0 || at < json.length; at += PIECE) {
      const elements = JSON.stringify(json.slice(at, at + PIECE)).slice(1, -1)
      yield `${at === 0 ? '[' : ','}${elements}`
    }
    yield ']'
  } else if (typeof json === 'object' && json !== null) {
    const values = Object.entries(json).filter(([, value]) => value !== undefined)
    for (const [i, [key, value]] of values.entries()) {
      yield `${i === 0 ? '{' : ','}${JSON.stringify(key)}:`
      yield* jsonPieces(value)
    }
    yield '}'
  } else yield JSON.stringify(json)
}

type AnySection = ReadonlyMap<string, { value: unknown; by: Origin; last?: Origin }>

/** Throws for a text that `writeState` did not write. */
export function readState(text: string): JoinState {
  const { origins, sections, retracted, archived, ...rest } = JSON.parse(text) as StateJson
  const events = readOrigins(origins)
  const eventAt = (index: number | undefined): Origin => {
    const event = index === undefined ? undefined : events[index]
    if (event === undefined) throw new RangeError('no such event')
    return event
  }
  const section = (name: keyof Sections) => {
    const { keys, values, by, last } = sections[name]
    const map = new Map<string, { value: unknown; by: Origin; last?: Origin }>()
    for (const [i, key] of keys.entries()) {
      const value = values[i] === 0 ? key : values[i]
      const said = { value, by: eventAt(by[i]) }
      map.set(key, last === undefined ? said : { value, by: said.by, last: eventAt(last[i]) })
    }
    return map as Map<string, never>
  }
  return {
    eventCount: rest.eventCount,
    latest: rest.latest,
    problems: rest.problems,
    retracted: new Set(retracted),
    archived: new Set(archived),
    sections: {
      registers: section('registers'),
      now: section('now'),
      next: section('next'),
      superseded: section('superseded'),
      items: section('items'),
      archivedItems: section('archivedItems'),
      decisions: section('decisions'),
      checkpoints: section('checkpoints'),
      questions: section('questions'),
    },
  }
}

function readOrigins({ file: files, id, ts, agent, branch, type, stream, isArchived }: Origins) {
  return files.map((file, i): Origin => ({
    file: file ?? '',
    id: id[i] ?? '',
    ts: ts[i] ?? ('' as Instant),
    agent: agent[i] ?? '',
    branch: branch[i] ?? undefined,
    type: type[i] ?? undefined,
    stream: stream[i] ?? undefined,
    isArchived: isArchived[i] === true,
  }))
}
