/**
 * Takes newer events of a handoff's stream into the handoff, with the same edits that commands make. Readers thus see
 * what the next command will write. Pure.
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
  setGoal,
  setRegister,
} from './edits.ts'
import type { Handoff } from './handoff.ts'
import { focusesOf, isEmpty, itemsOf, readHandoff, registerOf, updatedOf } from './handoff.ts'
import { addDone, addNext, setFocus } from './work-edits.ts'

export interface FoldedHandoff {
  readonly handoff: Handoff
  /** Number of events that were taken in. */
  readonly count: number
}

/**
 * The handoff with what `events` of its stream have reported since its date, which is left unchanged. Throws
 * `HANDOFF_UNREADABLE` if an open fence or comment in the file would swallow the text.
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

/** Events since the handoff was updated, in event order. */
export function newerEvents(handoff: Handoff, events: readonly LedgerEvent[]): LedgerEvent[] {
  const updated = updatedOf(handoff)?.instant
  return events.filter(({ ts }) => updated === undefined || ts > updated).toSorted(compareEvents)
}

/**
 * Events that somebody wrote take precedence over automatic ones. The latter only fill empty registers, because a
 * session's request is not the handoff's goal.
 */
function registerEdits(handoff: Handoff, newer: readonly LedgerEvent[]): Edit[] {
  return (['goal', 'test'] as const).flatMap((name) => {
    const key = name === 'goal' ? 'Goal' : 'Test'
    const matching = newer.filter((event) => hasContent(event[name]))
    const isBlank = isEmpty(registerOf(handoff, key)?.value.text ?? '')
    const written = matching.findLast(({ type }) => !isMadeByItself(type))
    const text = (written ?? (isBlank ? matching.at(-1) : undefined))?.[name]
    if (text === undefined) return []
    return [name === 'goal' ? setGoal(text) : setRegister(key, text)]
  })
}

interface Work {
  /** The newest Now. Undefined: no event has one. `text` is undefined if that work is done. */
  readonly now: { readonly text: string | undefined } | undefined
  /** The last list of each lane, without items done by the same or a later event. */
  readonly next: readonly string[]
  /** Hashes of completed items, with the position of the event that completed them. */
  readonly done: ReadonlyMap<string, number>
}

/** An earlier Now, or an earlier list of the same lane, has been replaced and no longer applies. */
function workOf(newer: readonly LedgerEvent[]): Work {
  const done = new Map<string, number>()
  const lanes = new Map<string, { list: readonly string[]; at: number }>()
  newer.forEach((event, at) => {
    const hashes = [...event.thisSession.map(hashOf), ...(event.done ?? [])]
    for (const hash of hashes) done.set(hash, at)
    const lane = (agent: string) => JSON.stringify([agent, event.branch])
    event.supersedes.forEach((agent) => lanes.delete(lane(agent)))
    if (event.next === undefined) return
    lanes.delete(lane(event.agent)) // lanes are ordered by their last lists
    lanes.set(lane(event.agent), { list: event.next, at })
  })
  const doneAt = (text: string) => done.get(hashOf(text)) ?? -1
  const next = [...lanes.values()].flatMap(({ list, at }) =>
    list.filter((text) => hasContent(text) && doneAt(text) < at),
  )
  const at = newer.findLastIndex((event) => hasContent(event.now))
  const text = newer[at]?.now
  if (text === undefined) return { now: undefined, next, done }
  return { now: { text: doneAt(text) > at ? undefined : text }, next, done }
}

/**
 * Items that were done and not started again. Archived events provide only hashes, which identify items of the file.
 * For events that a session's end made, only such planned items are used: their detailed lines about each turn belong
 * in the ledger.
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
  const byHash = new Map(texts.filter(hasContent).map((text) => [hashOf(text), text]))
  return [...byHash].flatMap(([hash, text]) => (open.has(hash) ? [] : [text]))
}

function decisionEdits(newer: readonly LedgerEvent[]): Edit[] {
  const decisions = newer.flatMap((event) => event.decisions)
  const byKey = new Map(decisions.map((decision) => [decisionKey(decision.key), decision]))
  return [...byKey.values()].map((decision) => setDecision(decision.key, saidOf(decision)))
}

/** A question that one event both asks and resolves is open, as in the ledger. */
function questionEdits(newer: readonly LedgerEvent[]): Edit[] {
  const edits = newer.flatMap((event) => [
    ...event.resolvedQuestions.map((text) => [text, resolveQuestion(text)] as const),
    ...event.openQuestions.map((text) => [text, addQuestion(text)] as const),
  ])
  const said = edits.filter(([text]) => hasContent(text))
  return [...new Map(said.map(([text, edit]) => [itemKey(bareQuestion(text)), edit])).values()]
}

/** False for lines such as `(none)` or `---`, which are not items of a document. */
function hasContent(text: string | undefined): text is string {
  const line = lineOf(text ?? '')
  return !isEmpty(line) && /[^\s*_-]/.test(line)
}

function hashOf(text: string): string {
  return itemHash(itemKey(lineOf(text)))
}
