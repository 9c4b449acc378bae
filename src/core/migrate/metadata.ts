/** What a source says about itself: time, author, branch, session. */

import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import { parseYaml } from '../event/yaml-value.ts'
import type { Block } from './blocks.ts'
import { labelOf, textOf } from './blocks.ts'
import type { Claim, Draft } from './draft.ts'
import type { About } from './labels.ts'
import { aboutOf, fieldOf } from './labels.ts'
import type { Line, Section } from '../document/document.ts'

/** A branch name, possibly in code marks. Text after it goes into the note. */
const BRANCH = /^`?([\w][\w./@+-]{0,199})`?(?=[\s,;]|$)/

/** Names that tools fill in when they do not know the author. */
const NOBODY = /^(?:unknown|agent|null)$/i

export function setAbout(draft: Draft, about: About, text: string, lines: readonly number[]): void {
  if (about === 'updated') {
    const time = leadingTime(text)
    if (time !== undefined) draft.times.push({ texts: [time], lines })
  } else if (about === 'branch') {
    const branch = BRANCH.exec(text)?.[1]
    if (branch !== undefined) draft.set('branch', branch, lines)
  } else if (!NOBODY.test(text.trim())) draft.set(about, text, lines)
}

/** Reads front matter line by line. Nested maps and lists have no field. */
export function readFront(front: readonly Line[], draft: Draft): void {
  for (const { text, at } of front) {
    const value = parseYaml(text)
    const entry = value?.kind === 'map' ? value.entries[0] : undefined
    if (entry?.value.kind !== 'scalar' || /^\s/.test(text)) continue
    const about = aboutOf(entry.key)
    const field = fieldOf(entry.key)
    if (about !== undefined) setAbout(draft, about, entry.value.text, [at])
    else if (field === 'goal' || field === 'test' || field === 'now') {
      draft.set(field, entry.value.text, [at])
    }
  }
}

/** Reads `**Updated:** T` and the like. Returns true for such a block; only facts in `only` are recorded. */
export function readAbout(
  block: Block,
  draft: Draft,
  only: readonly About[] = ['updated', 'branch', 'session'],
): boolean {
  const label = labelOf(block.lines[0].text)
  const about = label === undefined ? undefined : aboutOf(label.label)
  if (label === undefined || about === undefined) return false
  if (only.includes(about)) {
    setAbout(draft, about, label.rest, textOf(block).lines.slice(0, 1))
  }
  return true
}

/** `> Last updated: 2026-01-03`, `> 2026-08-07 · …`: a paragraph that dates the whole file. */
export function readStamp(block: Block, draft: Draft): boolean {
  if (block.kind !== 'paragraph') return false
  const [{ text, at }] = block.lines
  const label = labelOf(text)
  const quoted = /^\s*>\s*(.*)$/.exec(text)?.[1]
  const dateText = label === undefined ? quoted : label.rest
  if (dateText === undefined || leadingTime(dateText) === undefined) return false
  if (label !== undefined && aboutOf(label.label) !== 'updated') return false
  setAbout(draft, 'updated', dateText, [at])
  return true
}

/** The date in a heading: `### Now (2026-06-08)`. */
export function readDay({ title, heading }: Section, draft: Draft): void {
  const day = /(?<![\d/.-])\d{4}-\d\d-\d\d(?![\d/-])/.exec(title)?.[0]
  if (day !== undefined && heading !== undefined) setAbout(draft, 'updated', day, [heading.at])
}

const LEADING =
  /^\D{0,3}(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?)?)(?!\d)/
const IN_NAME =
  /(?<!\d)(\d{4}-\d\d-\d\d)(?:[T_-](\d\d)[-:]?(\d\d)(?:[-:]?(\d\d)(?:[-.](\d{3}))?)?(?=[_.Z-]|$))?/
/** `20260106-100641-topic.md` */
const SHORT_IN_NAME = /(?<!\d)(\d{4})(\d\d)(\d\d)(?=[T_-]\d{4}(?:\d\d)?(?!\d))/

const MIDNIGHT = 'T00:00:00.000000000Z'

/** The time at the start of a text, as written: `2026-06-08 (end of the loop)`. */
function leadingTime(text: string): string | undefined {
  const found = LEADING.exec(text)?.[1]
  return found !== undefined && parseInstant(found) !== undefined ? found : undefined
}

/** `general/2026-05-29_10-12_review.yaml`, `2025-12-31_22-50-00-000_x.md`. Taken as UTC, as no zone is given. */
function timeInName(path: string): Instant | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(SHORT_IN_NAME, '$1-$2-$3')
  const [, date, hour, minute, second = '00', millis = '000'] = IN_NAME.exec(name) ?? []
  if (date === undefined) return undefined
  const time = hour === undefined ? '00:00:00' : `${hour}:${minute}:${second}.${millis}`
  return (parseInstant(`${date}T${time}Z`) ?? parseInstant(date))?.instant
}

/**
 * The newest time in the source. The file name is used if there is none, or if that time is a date without a time and
 * the name has the same date. A name has no time zone, so otherwise the text takes precedence.
 */
export function sourceTime(times: readonly Claim[], path: string): Instant | undefined {
  const dateText = times.map(({ texts }) => parseInstant(texts[0] ?? '')?.instant)
  const newest = dateText
    .filter((instant) => instant !== undefined)
    .toSorted()
    .at(-1)
  const named = timeInName(path)
  if (newest === undefined) return named
  const isDay = newest.slice(10) === MIDNIGHT && newest.slice(0, 10) === named?.slice(0, 10)
  return isDay ? named : newest
}

/** The times that equal the event's own `ts`: their lines need no note. */
export function timesHeld(times: readonly Claim[], ts: Instant): Claim[] {
  return times.filter(({ texts: [text = ''] }) => {
    return parseInstant(text)?.instant === ts || text === ts.slice(0, 10)
  })
}
