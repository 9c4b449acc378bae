/**
 * The join state of very many events, taken in part by part: of each part only what the state needs stays in
 * memory. Pure.
 */

import type { LedgerEvent } from '../event/event.ts'
import { joinEvents, retractedFiles } from '../event/event-set.ts'
import type { Problem } from '../event/problem.ts'
import type { JoinState } from './join-state.ts'
import { extended, isArchived, stateOf } from './join-state.ts'

export class StateInParts {
  /** Files of the events that count. */
  readonly #files = new Set<string>()
  #state = stateOf([])

  get state(): JoinState {
    return this.#state
  }

  /** False where only all events together tell the state: one that is forgotten is taken back, or comes again. */
  add(events: readonly LedgerEvent[], problems: readonly Problem[]): boolean {
    const known = this.#state
    const taken = retractedFiles(events)
    const counted = joinEvents(events).filter(({ file }) => !known.retracted.has(file))
    if ([...taken, ...filesOf(counted)].some((file) => this.#files.has(file))) return false
    for (const file of filesOf(counted)) this.#files.add(file)
    const retracted = new Set([...known.retracted, ...taken])
    const archived = new Set([...known.archived, ...filesOf(counted.filter(isArchived))])
    this.#state = extended({ ...known, retracted, archived }, counted.map(cutOut), problems)
    return true
  }
}

function filesOf(events: readonly LedgerEvent[]): string[] {
  return events.map(({ file }) => file)
}

/** The event with copies of what many events leave in the state: a piece of a text keeps all of it in memory. */
function cutOut(event: LedgerEvent): LedgerEvent {
  const { agent, branch, type, stream, thisSession, checkpoints } = event
  const { openQuestions, resolvedQuestions } = event
  const lists = { thisSession, checkpoints, openQuestions, resolvedQuestions }
  const said = { agent, branch, type, stream, ...lists }
  return { ...event, ...(JSON.parse(JSON.stringify(said)) as typeof said) }
}
