/**
 * Newer events of a handoff's stream, taken into the handoff by the edits that commands make: what readers
 * are shown is what the next command writes. Pure.
 */

import type { LedgerEvent } from '../event/event.ts'
import { compareEvents, isMadeByItself, saidOf } from '../event/event.ts'
import { itemHash, itemKey } from '../event/item-text.ts'
import type { Edit } from './edit-lines.ts'
import { applyEdits, lineOf } from './edit-lines.ts'
import {
  addQuestion,
  bareQuestion,
  decisionKey,
  resolveQuestion,
  setDecision,
  setRegister,
} from './edits.ts'
import type { Handoff } from './handoff.ts'
import { focusesOf, isEmpty, itemsOf, readHandoff, registerOf, updatedOf } from './handoff.ts'
import { addDone, addNext, setFocus } from './work-edits.ts'

export interface FoldedHandoff {
  readonly handoff: Handoff
  /** Events that were taken in. */
  readonly count: number
}

/**
 * The handoff with what `events` of its stream said since it was updated; its date stays. Throws
 * `HANDOFF_UNREADABLE` where something open in the file would swallow it.
 */
export function foldEvents(handoff: Handoff, events: readonly LedgerEvent[]): FoldedHandoff {
  const newer = newerEvents(handoff, events)
  if (newer.length === 0) return { handoff, count: 0 }
  const work = workOf(newer)
  const edits = [
    ...registerEdits(handoff, newer),
    ...doneTexts(handoff, newer, work).map(addDone),
    ...(work.now === undefined ? [] : [setFocus(work.now.text, 'next')]),
    ...work.next.map(addNext),
    ...decisionEdits(newer),
    ...questionEdits(newer),
  ]
  return { handoff: readHandoff(applyEdits(handoff.text, edits)), count: newer.length }
}

/** Events since the handoff was updated, in their order. */
export function newerEvents(handoff: Handoff, events: readonly LedgerEvent[]): LedgerEvent[] {
  const updated = updatedOf(handoff)?.instant
  return events.filter(({ ts }) => updated === undefined || ts > updated).toSorted(compareEvents)
}

/** What somebody wrote comes before what was made by itself: a session's request is not the handoff's goal. */
function registerEdits(handoff: Handoff, newer: readonly LedgerEvent[]): Edit[] {
  return (['goal', 'test'] as const).flatMap((name) => {
    const key = name === 'goal' ? 'Goal' : 'Test'
    const saying = newer.filter((event) => says(event[name]))
    const isBlank = isEmpty(registerOf(handoff, key)?.value.text ?? '')
    const written = saying.findLast(({ type }) => !isMadeByItself(type))
    const text = (written ?? (isBlank ? saying.at(-1) : undefined))?.[name]
    return text === undefined ? [] : [setRegister(key, text)]
  })
}

interface Work {
  /** What is in hand since; without a text: nothing, for it was done. */
  readonly now: { readonly text: string | undefined } | undefined
  /** The last list of each lane, without what it or a later event did. */
  readonly next: readonly string[]
  /** Items that an event did, by hash. */
  readonly done: ReadonlyMap<string, number>
}

/** An earlier Now, and an earlier list of a lane, were replaced: they are nobody's plan any more. */
function workOf(newer: readonly LedgerEvent[]): Work {
  const done = new Map<string, number>()
  const lanes = new Map<string, { list: readonly string[]; at: number }>()
  newer.forEach((event, at) => {
    const hashes = [...event.thisSession.map(hashOf), ...(event.done ?? [])]
    for (const hash of hashes) done.set(hash, at)
    const lane = (agent: string) => JSON.stringify([agent, event.branch])
    event.supersedes.forEach((agent) => lanes.delete(lane(agent)))
    if (event.next === undefined) return
    lanes.delete(lane(event.agent)) // the order is that of the last lists
    lanes.set(lane(event.agent), { list: event.next, at })
  })
  const doneAt = (text: string) => done.get(hashOf(text)) ?? -1
  const next = [...lanes.values()].flatMap(({ list, at }) =>
    list.filter((text) => says(text) && doneAt(text) < at),
  )
  const at = newer.findLastIndex((event) => says(event.now))
  const text = newer[at]?.now
  if (text === undefined) return { now: undefined, next, done }
  return { now: { text: doneAt(text) > at ? undefined : text }, next, done }
}

/**
 * What was done and not begun anew: of archived events only hashes are known, and the file's items. Of what a
 * session's end tells only these: each of its turns, in many words, is for the ledger.
 */
function doneTexts(handoff: Handoff, newer: readonly LedgerEvent[], work: Work): string[] {
  const open = new Set(
    [...work.next, ...(work.now?.text === undefined ? [] : [work.now.text])].map(hashOf),
  )
  const planned = [...focusesOf(handoff), ...itemsOf(handoff.byName.next)]
  const texts = [
    ...newer.flatMap(({ type, thisSession }) => (isMadeByItself(type) ? [] : thisSession)),
    ...planned.flatMap(({ words }) => (work.done.has(hashOf(words.text)) ? [words.text] : [])),
  ]
  const byHash = new Map(texts.filter(says).map((text) => [hashOf(text), text]))
  return [...byHash].flatMap(([hash, text]) => (open.has(hash) ? [] : [text]))
}

function decisionEdits(newer: readonly LedgerEvent[]): Edit[] {
  const decisions = newer.flatMap((event) => event.decisions)
  const byKey = new Map(decisions.map((decision) => [decisionKey(decision.key), decision]))
  return [...byKey.values()].map((decision) => setDecision(decision.key, saidOf(decision)))
}

/** Asked and answered in one event is open, as in the ledger. */
function questionEdits(newer: readonly LedgerEvent[]): Edit[] {
  const edits = newer.flatMap((event) => [
    ...event.resolvedQuestions.map((text) => [text, resolveQuestion(text)] as const),
    ...event.openQuestions.map((text) => [text, addQuestion(text)] as const),
  ])
  const said = edits.filter(([text]) => says(text))
  return [...new Map(said.map(([text, edit]) => [itemKey(bareQuestion(text)), edit])).values()]
}

/** A line like `(none)` or `---` is no item of a document. */
function says(text: string | undefined): text is string {
  const line = lineOf(text ?? '')
  return !isEmpty(line) && /[^\s*_-]/.test(line)
}

function hashOf(text: string): string {
  return itemHash(itemKey(lineOf(text)))
}
