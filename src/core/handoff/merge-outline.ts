/**
 * A handoff as the merge sees it: the front matter, and each heading with its lines, are segments. Known segments hold
 * entries. Rendering an outline that was read gives back the same text, whatever it is.
 */

import type { Instant } from '../event/instant.ts'
import { readBlocks, readBlocksOfNow } from '../document/blocks.ts'
import type { Handoff, PartName } from './handoff.ts'
import { readHandoff, updatedOf } from './handoff.ts'
import type { Entry, Piece, Raw, Reading } from './merge-entries.ts'
import { fold, numbered, readEntries, readFront, readWhole } from './merge-entries.ts'

export type SegmentName = PartName | 'front' | 'ledger'

const READINGS: Readonly<Record<Exclude<SegmentName, 'front'>, Reading>> = {
  ledger: 'bold',
  now: 'items',
  thisSession: 'items',
  next: 'items',
  decisions: 'keyed',
  openQuestions: 'list',
  workflow: 'keyed',
  resolved: 'keyed',
  unknowns: 'keyed',
  lastFailure: 'whole',
  checkpoints: 'bold',
  phases: 'phases',
  validation: 'whole',
  resume: 'keyed',
  merged: 'list',
}

interface Head {
  /** A `SegmentName`, else a path of titles. */
  readonly id: string
  /** 0 if there is no heading. */
  readonly level: number
  /** The heading's line. */
  readonly heading: string | undefined
}

export interface Segment extends Head {
  /** The blank lines below the heading. */
  readonly lead: readonly string[]
  /** Undefined for an unknown segment, whose lines are in `text`. */
  readonly entries: readonly Entry[] | undefined
  readonly text: readonly string[]
  /** The blank lines at the segment's end; undefined at the end of the document. */
  readonly tail: readonly string[] | undefined
}

export interface Outline {
  readonly hasBom: boolean
  readonly front: Segment | undefined
  readonly segments: readonly Segment[]
  /** Number of line breaks at the end of the document. */
  readonly breaks: number
  /** The leading date of `**Updated:**`. */
  readonly updated: Instant | undefined
}

export function readOutline(text: string): Outline {
  let end = text.length
  while (text[end - 1] === '\n') end-- // a regular expression would try every line break in the text
  const body = text.slice(0, end)
  const handoff = readHandoff(body)
  const { front } = handoff.document
  const raw: Raw = (line) => body.slice(line.start, line.end).replace(/\n$/, '')
  return {
    hasBom: body.startsWith('\ufeff'),
    front: front && readFrontSegment(handoff, raw),
    segments: body === '' ? [] : readSegments(handoff, raw),
    breaks: text.length - body.length,
    updated: updatedOf(handoff)?.instant,
  }
}

export function renderOutline({ hasBom, front, segments, breaks }: Outline): string {
  const lines = [...(front ? [front] : []), ...segments].flatMap(linesOf)
  return `${hasBom ? '\ufeff' : ''}${lines.join('\n')}${'\n'.repeat(breaks)}`
}

function linesOf({ heading, lead, entries, text, tail = [] }: Segment): string[] {
  const own = entries?.flatMap(({ gap = [], lines }) => [...gap, ...lines]) ?? text
  return [...(heading === undefined ? [] : [heading]), ...lead, ...own, ...tail]
}

/** The front matter; its first delimiter is the heading, its last delimiter ends the tail. */
function readFrontSegment({ document, fields }: Handoff, raw: Raw): Segment {
  const { front = [], lines } = document
  const [open, close] = [0, front.length + 1].map((at) => lines.slice(at, at + 1).map(raw))
  const head: Head = { id: 'front', level: 0, heading: open?.[0] }
  const segment = withEntries(head, readFront(front, fields, raw))
  return { ...segment, tail: [...(segment.tail ?? []), ...(close ?? [])] }
}

/** The text before the first heading, each heading with its lines, and the text after the Ledger's `---`. */
function readSegments(handoff: Handoff, raw: Raw): Segment[] {
  const { document, ledger, parts, byName } = handoff
  const names = new Map(Object.entries(byName).map(([name, { heading }]) => [heading.at, name]))
  const top = parts[0]?.heading.at
  const around: Head[] = []
  const segments = document.sections.flatMap(({ heading, level, title, lines }): Segment[] => {
    const name = heading && (heading.at === top ? 'ledger' : names.get(heading.at))
    while ((around.at(-1)?.level ?? -1) >= level) around.pop()
    const path = `${around.at(-1)?.id ?? ''}/${fold(title).toLowerCase()}`
    const id = name ?? (level > 1 ? path : `level ${level}`)
    const head: Head = { id, level, heading: heading && raw(heading) }
    if (level > 1) around.push(head)
    const isInside =
      ledger && heading && heading.start >= ledger.start && heading.start < ledger.end
    const own = lines.filter(({ start }) => !isInside || start < ledger.end)
    const below = lines.slice(own.length).map(raw)
    const readIn = id === 'now' ? readBlocksOfNow : readBlocks
    const reading = (READINGS as Readonly<Record<string, Reading>>)[id]
    const segment =
      reading === undefined
        ? asText(head, own.map(raw))
        : reading === 'whole'
          ? withEntries(head, readWhole(title, own.map(raw)))
          : withEntries(head, readEntries(readIn(own), reading, handoff, raw))
    const end: Head = { id: 'end of ledger', level: 0, heading: undefined }
    return below.length === 0 ? [segment] : [segment, asText(end, below)]
  })
  return numbered(segments).map((segment, i, { length }) =>
    i === length - 1 && segment.tail?.length === 0 ? { ...segment, tail: undefined } : segment,
  )
}

function withEntries(head: Head, pieces: readonly Piece[]): Segment {
  const entries: Entry[] = []
  let lead: string[] = []
  let blank: string[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      blank.push(piece)
      continue
    }
    if (entries.length === 0) lead = blank
    entries.push(entries.length === 0 ? piece : { ...piece, gap: blank })
    blank = []
  }
  return { ...head, lead, entries: numbered(entries), text: [], tail: blank }
}

function asText(head: Head, lines: readonly string[]): Segment {
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1
  return {
    ...head,
    lead: [],
    entries: undefined,
    text: lines.slice(0, end),
    tail: lines.slice(end),
  }
}
