/** A handoff as data, for those who go on with it: what the file says, and what newer events add. */

import type { LedgerEvent } from '../event/event.ts'
import { compareEvents } from '../event/event.ts'
import { itemKey } from '../event/item-text.ts'
import type { Block, Keyed } from '../document/blocks.ts'
import { branchOf } from './choose.ts'
import type { Handoff, Part } from './handoff.ts'
import {
  entriesOf,
  fieldOf,
  focusesOf,
  isEmpty,
  itemsOf,
  registerOf,
  registersOf,
  updatedOf,
} from './handoff.ts'
import { phasesOf } from './phases.ts'
import { validationOf } from './validation.ts'

export type HandoffView = ReturnType<typeof viewHandoff>

export function viewHandoff(handoff: Handoff) {
  const { byName } = handoff
  const register = (key: string) => said(registerOf(handoff, key)?.value.text)
  const decisions = itemsOf(byName.decisions)
  const keyed = entriesOf(byName.decisions)
  const keyedStarts = new Set(keyed.map(({ start }) => start))
  return {
    status: fieldOf(handoff, 'status'),
    branch: branchOf(handoff),
    updated: updatedOf(handoff)?.instant,
    goal: register('Goal'),
    test: register('Test'),
    now: textsOf(focusesOf(handoff)),
    thisSession: textsOf(itemsOf(byName.thisSession)),
    next: textsOf(itemsOf(byName.next)),
    decisions: mapOf(keyed),
    /** Without a key. */
    otherDecisions: textsOf(decisions.filter(({ words }) => !keyedStarts.has(words.start))),
    openQuestions: textsOf(itemsOf(byName.openQuestions)),
    workflow: mapOf(entriesOf(byName.workflow)),
    resolved: mapOf(entriesOf(byName.resolved)),
    unknowns: mapOf(entriesOf(byName.unknowns)),
    lastFailure: failureOf(byName.lastFailure),
    checkpoints: mapOf(registersOf(byName.checkpoints)),
    phases: phasesOf(handoff),
    validation: validationOf(handoff)?.values,
    resume: mapOf(entriesOf(byName.resume)),
    /** Events of its stream since it was updated, which are joined in. */
    newerEvents: 0,
  }
}

/** What events of the handoff's stream said since it was updated, in their order. */
export function joinNewer(view: HandoffView, events: readonly LedgerEvent[]): HandoffView {
  const { updated } = view
  const newer = events
    .filter(({ ts }) => updated === undefined || ts > updated)
    .toSorted(compareEvents)
  return newer.reduce(joinEvent, { ...view, newerEvents: newer.length })
}

function joinEvent(view: HandoffView, event: LedgerEvent): HandoffView {
  const done = event.thisSession
  const decisions = new Map(view.decisions)
  for (const { key, value, text } of event.decisions) {
    if (value === null) decisions.delete(key)
    else decisions.set(key, text)
  }
  return {
    ...view,
    goal: event.goal ?? view.goal,
    test: event.test ?? view.test,
    now: event.now === undefined ? without(view.now, done) : [event.now],
    thisSession: [...view.thisSession, ...without(done, view.thisSession)],
    next: without(event.next ?? view.next, [
      ...done,
      ...(event.now === undefined ? [] : [event.now]),
    ]),
    decisions,
    openQuestions: without(
      [...view.openQuestions, ...without(event.openQuestions, view.openQuestions)],
      event.resolvedQuestions,
    ),
  }
}

function without(texts: readonly string[], gone: readonly string[]): string[] {
  const keys = new Set(gone.map(itemKey))
  return texts.filter((text) => !keys.has(itemKey(text)))
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.map(({ words }) => words.text)
}

function mapOf(entries: readonly Keyed[]) {
  return new Map(
    entries.filter(({ value }) => !isEmpty(value.text)).map(({ key, value }) => [key, value.text]),
  )
}

function said(text: string | undefined): string | undefined {
  return text === undefined || isEmpty(text) ? undefined : text
}

function failureOf(part: Part | undefined): string | undefined {
  const lines = (part?.lines ?? [])
    .map(({ text }) => text.trim())
    .filter((text) => !/^(?:`{3,}|~{3,}|$)/.test(text))
  return said(lines.join('\n'))
}
