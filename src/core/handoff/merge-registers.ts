/**
 * Everything that has one value per key: the front matter, `**Goal:**`, decisions, the workflow's state, where to
 * resume. If two values conflict, one stays and the other becomes a question (`UNCONFIRMED: <key>: <text>`), so that
 * neither is lost and the next agent asks. There is one such question per key. It also tells the next merge what has
 * been asked already.
 */

import type { Words } from '../document/blocks.ts'
import { isEmpty, leadingDate } from './handoff.ts'
import type { Entry } from './merge-entries.ts'
import { fold } from './merge-entries.ts'
import type { Outline, Segment, SegmentName } from './merge-outline.ts'
import type { Later, Sides } from './merge-sides.ts'
import { pickWinner, firstById, greatest, isKept, mapSides, mergeWords } from './merge-sides.ts'

/** The sections that contain registers. If a key occurs in two of them, the later section becomes part of its name. */
const PLACES: readonly SegmentName[] = [
  'ledger',
  'decisions',
  'workflow',
  'resolved',
  'unknowns',
  'lastFailure',
  'checkpoints',
  'resume',
  'front',
]

const CLOCK = /^ledger key updated$/i

export interface MergedRegisters {
  /** By place and id; undefined if the register was removed. */
  readonly values: ReadonlyMap<string, Entry | undefined>
  /** The questions by id. */
  readonly questions: ReadonlyMap<string, Entry>
  /** The outlines, in which questions asked by a merge have the id of their register. */
  readonly outlines: Sides<Outline>
}

/** The key of a register in `values`. */
export function registerId(place: string, entry: Pick<Entry, 'id'>): string {
  return `${place} ${entry.id}`
}

export function mergeRegisters(outlines: Sides<Outline>, later: Later): MergedRegisters {
  const names = namesOf(outlines)
  const named = mapSides(outlines, (outline) => withQuestionIds(outline, new Set(names.values())))
  const questions = mapSides(named, (outline) => firstById(entriesIn(outline, 'openQuestions')))
  const registers = mapSides(named, registersIn)
  const values = new Map<string, Entry | undefined>()
  const asked = new Map<string, Entry>()
  for (const [id, name] of names) {
    const entry = mapSides(registers, (all) => all.get(id))
    const question = mapSides(questions, (all) => all.get(questionId(name)))
    const waiting = mapSides(question, (one) => textOf(one, name))
    const isClock = CLOCK.test(id)
    const merged = mergeRegister(entry, waiting, later, isClock)
    values.set(id, merged.entry)
    if (merged.asked !== undefined) {
      const line = `- UNCONFIRMED: ${name}: ${merged.asked}`
      asked.set(questionId(name), mergeQuestion(question, merged.asked, name, line))
    }
  }
  return { values, questions: asked, outlines: named }
}

/**
 * Each side has a value, and possibly another one that waits as a question. A value counts if both sides still have it
 * or one side added it. One of these is shown. A clock never goes back.
 */
function mergeRegister(
  entry: Sides<Entry | undefined>,
  waiting: Sides<string | undefined>,
  later: Later,
  isClock: boolean,
): { entry: Entry | undefined; asked: string | undefined } {
  const counts = (text: string | undefined): text is string =>
    text !== undefined &&
    isKept({
      base: entry.base?.words === text || waiting.base === text,
      ours: entry.ours?.words === text || waiting.ours === text,
      theirs: entry.theirs?.words === text || waiting.theirs === text,
    })
  const shownValue = (one: Entry | undefined, other: Entry | undefined) =>
    counts(one?.words) || (isClock && isLater(one?.words, other?.words)) ? one?.words : undefined
  const ours = shownValue(entry.ours, entry.theirs)
  const theirs = shownValue(entry.theirs, entry.ours)
  const fresh = [waiting.ours, waiting.theirs]
    .filter(counts)
    .filter((text) => text !== waiting.base)
  const shown = ours === theirs && ours !== undefined ? ours : choose(ours, theirs, fresh, later)
  const lost = [ours, theirs, waiting.ours, waiting.theirs]
    .filter(counts)
    .filter((text) => text !== shown && !isEmpty(text) && !isDate(text))
  // Values that a side showed take precedence over values that were already waiting.
  const previouslyShown = lost.filter((text) => text === ours || text === theirs)
  const asked = greatest(previouslyShown.length > 0 ? previouslyShown : lost, (text) => text)
  return { entry: shown === undefined ? undefined : entryWith(shown, entry), asked }
}

/** A value takes precedence over an emptied one. Of two dates, the later one wins, whichever side it is from. */
function choose(
  ours: string | undefined,
  theirs: string | undefined,
  fresh: readonly string[],
  later: Later,
): string | undefined {
  const said = (text: string | undefined) => (isEmpty(text ?? '') ? undefined : text)
  const dates = new Map([ours, theirs].map((text) => [text, dateOf(text ?? '')?.instant]))
  if ([ours, theirs].every((text) => dates.get(text) !== undefined)) {
    return greatest([ours, theirs], (text) => `${dates.get(text)} ${text}`)
  }
  const sides = { ours: said(ours), theirs: said(theirs) }
  return pickWinner(sides, fresh, later, (text) => text) ?? ours ?? theirs
}

/** The lines that contain the value, or those of another value with this one put in its place. */
function entryWith(value: string, entry: Sides<Entry | undefined>): Entry {
  const [ours, theirs] = [entry.ours, entry.theirs].map((one) =>
    one?.words === value ? one : undefined,
  )
  const same = entry.base?.words === value ? entry.base : undefined
  const lines = (one: Entry | undefined) => one?.lines.join('\n') ?? ''
  const existing = [entry.ours, entry.theirs].filter((one) => one !== undefined)
  const any = ours ?? theirs ?? greatest(existing, lines) ?? entry.base
  if (any === undefined) throw new RangeError('a register without a line')
  if (ours !== undefined && theirs !== undefined) {
    const merged = mergeWords({ base: lines(same), ours: lines(ours), theirs: lines(theirs) })
    return { ...any, lines: merged.split('\n') }
  }
  if (any.words === value) return any
  const before = any.before ?? ''
  const space = before === '' || /\s$/.test(before) ? '' : ' '
  return { ...any, words: value, lines: [`${before}${space}${value}`] }
}

function mergeQuestion(
  question: Sides<Entry | undefined>,
  asked: string,
  name: string,
  line: string,
): Entry {
  const existing = [question.ours, question.theirs].filter((one) => one !== undefined)
  const same = existing.filter((one) => textOf(one, name) === asked)
  const known = greatest(same, ({ lines }) => lines.join('\n'))
  const id = questionId(name)
  return known ?? { id, role: 'member', kind: 'item', lines: [line], words: asked }
}

/** The value that waits in a question. */
function textOf(question: Entry | undefined, name: string): string | undefined {
  if (question === undefined) return undefined
  const [, ...rest] = question.lines
  return fold([question.words.slice(`UNCONFIRMED: ${name}: `.length), ...rest].join('\n'))
}

function questionId(name: string): string {
  return `unconfirmed ${name}`
}

/** The name of every register on the three sides, by id. */
function namesOf(outlines: Sides<Outline>): Map<string, string> {
  const all = [outlines.base, outlines.ours, outlines.theirs].flatMap((one) => [
    ...registersIn(one).keys(),
  ])
  const placeOf = (id: string) => PLACES.findIndex((place) => id.startsWith(`${place} key `))
  const ids = [...new Set(all)].sort((a, b) => placeOf(a) - placeOf(b))
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const id of ids) {
    const place = PLACES[placeOf(id)] ?? ''
    const key = id.slice(`${place} key `.length)
    const name = taken.has(key) ? `${place} ${key}` : key
    taken.add(name)
    names.set(id, name)
  }
  return names
}

function registersIn(outline: Outline): Map<string, Entry> {
  return new Map(
    PLACES.flatMap((place) =>
      entriesIn(outline, place)
        .filter(({ role }) => role === 'register')
        .map((entry) => [registerId(place, entry), entry] as const),
    ),
  )
}

function entriesIn({ front, segments }: Outline, place: SegmentName): readonly Entry[] {
  const segment = place === 'front' ? front : segments.find(({ id }) => id === place)
  return segment?.entries ?? []
}

function withQuestionIds(outline: Outline, names: ReadonlySet<string>): Outline {
  const taken = new Set<string>()
  const rename = (entry: Entry): Entry => {
    const name = [...entry.words.matchAll(/: /g)]
      .map(({ index }) => entry.words.slice('UNCONFIRMED: '.length, index))
      .findLast((text) => names.has(text) && !taken.has(text))
    if (name === undefined || !entry.words.startsWith(`UNCONFIRMED: ${name}: `)) return entry
    taken.add(name)
    return { ...entry, id: questionId(name) }
  }
  const segments = outline.segments.map((segment): Segment =>
    segment.id === 'openQuestions' && segment.entries !== undefined
      ? { ...segment, entries: segment.entries.map(rename) }
      : segment,
  )
  return { ...outline, segments }
}

function dateOf(text: string) {
  const words: Words = { text, start: 0, end: text.length }
  return leadingDate(words)
}

function isLater(text = '', other = ''): boolean {
  return (dateOf(text)?.instant ?? '') > (dateOf(other)?.instant ?? '')
}

/** Only a date: the later one supersedes it, so nothing is lost. */
function isDate(text: string): boolean {
  const date = dateOf(text)
  return date !== undefined && /^[`*_()"']*$/.test(text.replace(date.text, ''))
}
