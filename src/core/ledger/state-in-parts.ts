/**
 * The join state of a very large number of events, built part by part: only what the state needs of each part stays
 * in memory. Pure.
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

  /**
   * Returns false if the state requires all events together, because an event that is no longer in memory is retracted
   * or added again.
   */
  add(events: readonly LedgerEvent[], problems: readonly Problem[]): boolean {
    const known = this.#state
    const newlyRetracted = retractedFiles(events)
    const counted = joinEvents(events).filter(({ file }) => !known.retracted.has(file))
    if ([...newlyRetracted, ...filesOf(counted)].some((file) => this.#files.has(file))) return false
    for (const file of filesOf(counted)) this.#files.add(file)
    const retracted = new Set([...known.retracted, ...newlyRetracted])
    const archived = new Set([...known.archived, ...filesOf(counted.filter(isArchived))])
    this.#state = extended({ ...known, retracted, archived }, counted.map(detached), problems)
    return true
  }
}

function filesOf(events: readonly LedgerEvent[]): string[] {
  return events.map(({ file }) => file)
}

/** A copy of the event's texts that stay in the state: a substring would keep the whole text in memory. */
function detached(event: LedgerEvent): LedgerEvent {
  const { agent, branch, type, stream, thisSession, checkpoints } = event
  const { openQuestions, resolvedQuestions } = event
  const lists = { thisSession, checkpoints, openQuestions, resolvedQuestions }
  const said = { agent, branch, type, stream, ...lists }
  return { ...event, ...(JSON.parse(JSON.stringify(said)) as typeof said) }
}
