/** A handoff as data for the next reader. */

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

/** `newerEvents`: number of events of its stream since it was updated, which are included in the handoff. */
export function viewHandoff(handoff: Handoff, newerEvents = 0) {
  const { byName } = handoff
  const register = (key: string) => nonEmpty(registerOf(handoff, key)?.value.text)
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
    /** Decisions without a key. */
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
    newerEvents,
  }
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.map(({ words }) => words.text)
}

function mapOf(entries: readonly Keyed[]) {
  return new Map(
    entries.filter(({ value }) => !isEmpty(value.text)).map(({ key, value }) => [key, value.text]),
  )
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || isEmpty(text) ? undefined : text
}

/** The text without its fence; lines inside that look like a fence are part of the text. */
function failureOf(part: Part | undefined): string | undefined {
  const lines = (part?.lines ?? []).map(({ text }) => text.trim()).filter((text) => text !== '')
  const fence = /^(?:`{3,}|~{3,})/.exec(lines[0] ?? '')?.[0]
  const isFenced = fence !== undefined && lines.length > 1 && lines.at(-1) === fence
  return nonEmpty((isFenced ? lines.slice(1, -1) : lines).join('\n'))
}
