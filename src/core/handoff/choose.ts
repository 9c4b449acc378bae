/** Which handoff is meant where nobody names one: the active one of a branch that was updated last. */

import { compareBytes } from '../event/event.ts'
import type { Handoff } from './handoff.ts'
import { fieldOf, registerOf, updatedOf } from './handoff.ts'

export interface NamedHandoff {
  readonly name: string
  readonly handoff: Handoff
}

/** The active ones of a branch, the last updated first; those without a date at the end, by name. */
export function handoffsOfBranch<T extends NamedHandoff>(
  all: readonly T[],
  branch: string | undefined,
): T[] {
  const mine = all.filter(
    ({ handoff }) =>
      handoff.ledger !== undefined && isActive(handoff) && branchOf(handoff) === branch,
  )
  if (branch === undefined) return []
  return mine.sort((a, b) => compareBytes(updated(b), updated(a)) || compareBytes(a.name, b.name))
}

/** Undefined where there is none, and where two were updated at the same time. */
export function handoffOfBranch<T extends NamedHandoff>(
  all: readonly T[],
  branch: string | undefined,
): T | undefined {
  const [first, second] = handoffsOfBranch(all, branch)
  const isTie = first && second && updated(first) === updated(second)
  return isTie === true ? undefined : first
}

/** The branch that the front matter names, else the Ledger; of that the first word (`main (clean)`). */
export function branchOf(handoff: Handoff): string | undefined {
  const said = registerOf(handoff, 'Branch')?.value.text
  const [word] = said?.replace(/^[`*"]+/, '').split(/[\s`*",;]/) ?? []
  return fieldOf(handoff, 'branch')?.trim() ?? (word === '' ? undefined : word)
}

const OVER = /^(?:complete|done|closed|paused|archived|superseded|abandoned|merged)/i

/** Somebody works on it, as far as its status says. */
export function isActive(handoff: Handoff): boolean {
  return !OVER.test(fieldOf(handoff, 'status') ?? '')
}

function updated({ handoff }: NamedHandoff): string {
  return updatedOf(handoff)?.instant ?? ''
}
