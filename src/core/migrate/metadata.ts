/** What a source says about itself: when, who, where, in which session. */

import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import { parseYaml } from '../event/yaml-value.ts'
import type { Block } from './blocks.ts'
import { labelOf, textOf } from './blocks.ts'
import type { Claim, Draft } from './draft.ts'
import type { About } from './labels.ts'
import { aboutOf, fieldOf } from './labels.ts'
import type { Line, Section } from '../document/document.ts'

/** A branch's name, perhaps in code marks; what follows it stays in the note. */
const BRANCH = /^`?([\w][\w./@+-]{0,199})`?(?=[\s,;]|$)/

/** Names that tools fill in when they know none. */
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

/** Front matter, line by line: nested maps and lists have no field. */
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

/** `**Updated:** T` and the like. True when the block was one; `only` names those that are read. */
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

/** `> Last updated: 2026-01-03`, `> 2026-08-07 · …`: when a paragraph says of the whole file it was written. */
export function readStamp(block: Block, draft: Draft): boolean {
  if (block.kind !== 'paragraph') return false
  const [{ text, at }] = block.lines
  const label = labelOf(text)
  const quoted = /^\s*>\s*(.*)$/.exec(text)?.[1]
  const said = label === undefined ? quoted : label.rest
  if (said === undefined || leadingTime(said) === undefined) return false
  if (label !== undefined && aboutOf(label.label) !== 'updated') return false
  setAbout(draft, 'updated', said, [at])
  return true
}

/** The day that a heading names: `### Now (2026-06-08)`. */
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

/** `2026-06-08 (end of the loop)`: the time that a text begins with, as written. */
function leadingTime(text: string): string | undefined {
  const found = LEADING.exec(text)?.[1]
  return found !== undefined && parseInstant(found) !== undefined ? found : undefined
}

/** `general/2026-05-29_10-12_review.yaml`, `2025-12-31_22-50-00-000_x.md`; UTC, as nothing else is said. */
function timeInName(path: string): Instant | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(SHORT_IN_NAME, '$1-$2-$3')
  const [, date, hour, minute, second = '00', millis = '000'] = IN_NAME.exec(name) ?? []
  if (date === undefined) return undefined
  const time = hour === undefined ? '00:00:00' : `${hour}:${minute}:${second}.${millis}`
  return (parseInstant(`${date}T${time}Z`) ?? parseInstant(date))?.instant
}

/**
 * The newest time that the source gives itself; its name where it gives none, or the same day without
 * a time. A name has no time zone, so it never beats a text that may have one.
 */
export function sourceTime(times: readonly Claim[], path: string): Instant | undefined {
  const said = times.map(({ texts }) => parseInstant(texts[0] ?? '')?.instant)
  const newest = said
    .filter((instant) => instant !== undefined)
    .toSorted()
    .at(-1)
  const named = timeInName(path)
  if (newest === undefined) return named
  const isDay = newest.slice(10) === MIDNIGHT && newest.slice(0, 10) === named?.slice(0, 10)
  return isDay ? named : newest
}

/** The times that the event's own `ts` repeats: their lines need no note. */
export function timesHeld(times: readonly Claim[], ts: Instant): Claim[] {
  return times.filter(({ texts: [text = ''] }) => {
    return parseInstant(text)?.instant === ts || text === ts.slice(0, 10)
  })
}
