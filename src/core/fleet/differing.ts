/** Decisions with different values on different branches, and open questions. */

import type { Decision } from '../event/event.ts'
import { compareBytes, compareEvents, saidOf } from '../event/event.ts'
import { formatInstant } from '../event/instant.ts'
import type { Attributed } from '../ledger/join-state.ts'
import type { DifferingDecision, OpenQuestion } from './fleet.ts'
import type { Holder } from './holders.ts'
import { knows } from './holders.ts'

interface Held {
  readonly said: Attributed<Decision>
  readonly holder: Holder
}

/** One value, and the branches that hold it. */
interface Value {
  /** From the newest event that set it: two agents may have decided the same. */
  readonly said: Attributed<Decision>
  readonly held: readonly Held[]
}

/** A branch that does not have a decision does not differ from the others. */
export function differingDecisions(holders: readonly Holder[]): DifferingDecision[] {
  const byKey = groupBy(
    holders.flatMap((holder) =>
      [...holder.ledger.state.sections.decisions].map(([key, said]) => ({ key, said, holder })),
    ),
    ({ key }) => key,
  )
  const found = [...byKey].flatMap(([key, held]) => {
    const values = valuesOf(held)
    return values.length < 2 ? [] : [{ key, values, isOnBothSides: isSetOnBothSides(values) }]
  })
  return found
    .sort(
      (a, b) =>
        Number(b.isOnBothSides) - Number(a.isOnBothSides) ||
        compareValues(a.values[0], b.values[0]) ||
        compareBytes(a.key, b.key),
    )
    .map(({ key, values, isOnBothSides }) => ({
      key,
      both_sides: isOnBothSides,
      values: values.map(({ said: { value, by }, held }) => ({
        value: value.value,
        agent: by.agent,
        branch: by.branch ?? null,
        ts: formatInstant(by.ts),
        held_on: held.map(({ holder }) => holder.name),
      })),
    }))
}

/** The different values, newest first. */
function valuesOf(all: readonly Held[]): Value[] {
  const byValue = groupBy(all, ({ said }) => JSON.stringify(saidOf(said.value)))
  return [...byValue.values()]
    .flatMap((held): Value[] => {
      const said = held.map((one) => one.said).sort((a, b) => compareEvents(a.by, b.by))
      const newest = said.at(-1)
      return newest === undefined ? [] : [{ said: newest, held }]
    })
    .sort(compareValues)
}

function compareValues(a: Value | undefined, b: Value | undefined): number {
  return a === undefined || b === undefined ? 0 : compareEvents(b.said.by, a.said.by)
}

/** True if two branches hold different values, and neither knows the event that set the other's value. */
function isSetOnBothSides(values: readonly Value[]): boolean {
  const isUnknown = (to: Held, of: Held) => !knows(to.holder.ledger, of.said.by.file)
  return values.some(({ held }, i) =>
    values
      .slice(i + 1)
      .some((other) =>
        held.some((a) => other.held.some((b) => isUnknown(a, b) && isUnknown(b, a))),
      ),
  )
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const known = groups.get(keyOf(one))
    if (known === undefined) groups.set(keyOf(one), [one])
    else known.push(one)
  }
  return groups
}

/** Open questions, oldest first. A question is open while no branch has a later answer. */
export function openQuestionsOf(holders: readonly Holder[]): Attributed<string>[] {
  const newest = new Map<string, Attributed<string | null>>()
  for (const { ledger } of holders) {
    for (const [key, said] of ledger.state.sections.questions) {
      const known = newest.get(key)
      if (holders.some((one) => one.ledger.state.retracted.has(said.by.file))) continue
      if (known === undefined || compareEvents(said.by, known.by) > 0) newest.set(key, said)
    }
  }
  return [...newest.values()]
    .flatMap(({ value, by }) => (value === null ? [] : [{ value, by }]))
    .sort((a, b) => compareEvents(a.by, b.by) || compareBytes(a.value, b.value))
}

export function questionJson({ value, by }: Attributed<string>): OpenQuestion {
  return {
    text: value,
    ts: formatInstant(by.ts),
    agent: by.agent,
    branch: by.branch ?? null,
  }
}
