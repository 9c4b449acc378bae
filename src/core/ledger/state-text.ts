/**
 * A join state as a text, for the cache: JSON in which every event that is named stands once.
 *
 * `[key, value, event]` an entry, events as indexes; a value that is its own key (most items are) as 0.
 */

import type { Instant } from '../event/instant.ts'
import type { JoinState, Origin, Sections } from './join-state.ts'

type Word = string | null
type OriginRow = [string, string, Instant, agent: string, branch: Word, type: Word, Word, 0 | 1]
type EntryRow = [key: string, value: unknown, by: number, last?: number]

interface StateJson extends Pick<JoinState, 'eventCount' | 'problems'> {
  readonly latest?: Instant | undefined
  readonly retracted: readonly string[]
  readonly archived: readonly string[]
  readonly origins: readonly OriginRow[]
  readonly sections: { readonly [Name in keyof Sections]: readonly EntryRow[] }
}

export function writeState(state: JoinState): string {
  const indexes = new Map<Origin, number>()
  const indexOf = (by: Origin): number => {
    const index = indexes.get(by) ?? indexes.size
    indexes.set(by, index)
    return index
  }
  const rows = Object.entries(state.sections).map(([name, map]: [string, AnySection]) => [
    name,
    Array.from(map, ([key, { value, by, last = by }]): EntryRow => {
      const kept = value === key ? 0 : value
      return last === by ? [key, kept, indexOf(by)] : [key, kept, indexOf(by), indexOf(last)]
    }),
  ])
  const sections = Object.fromEntries(rows) as StateJson['sections']
  const origins = Array.from(indexes.keys(), (one): OriginRow => {
    const { file, id, ts, agent, branch = null, type = null, stream = null, isArchived } = one
    return [file, id, ts, agent, branch, type, stream, isArchived ? 1 : 0]
  })
  const { retracted, archived, ...rest } = state
  const json: StateJson = {
    ...rest,
    retracted: [...retracted],
    archived: [...archived],
    origins,
    sections,
  }
  return JSON.stringify(json)
}

type AnySection = ReadonlyMap<string, { value: unknown; by: Origin; last?: Origin }>

/** Throws for a text that `writeState` has not written. */
export function readState(text: string): JoinState {
  const { origins, sections, retracted, archived, ...rest } = JSON.parse(text) as StateJson
  const events = origins.map((row): Origin => {
    const [file, id, ts, agent, branch, type, stream, isArchived] = row
    const where = { branch: branch ?? undefined, stream: stream ?? undefined }
    return { file, id, ts, agent, ...where, type: type ?? undefined, isArchived: isArchived === 1 }
  })
  const eventAt = (index: number): Origin => {
    const event = events[index]
    if (event === undefined) throw new RangeError('no such event')
    return event
  }
  const section = (name: keyof Sections) => {
    const entries = sections[name].map(([key, kept, by, last = by]) => {
      const value = kept === 0 ? key : kept
      const said = { value, by: eventAt(by) }
      return [key, name === 'items' ? { ...said, last: eventAt(last) } : said] as const
    })
    return new Map(entries) as Map<string, never>
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
