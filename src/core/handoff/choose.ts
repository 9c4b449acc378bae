/** Chooses the handoff when none is named: the most recently updated active one of the branch. */

import { compareBytes } from '../event/event.ts'
import type { Handoff } from './handoff.ts'
import { fieldOf, registerOf, updatedOf } from './handoff.ts'

export interface NamedHandoff {
  readonly name: string
  readonly handoff: Handoff
}

/** The active handoffs of a branch, most recently updated first; those without a date come last, by name. */
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

/** Undefined if there is none, or if the two newest have the same date. */
export function handoffOfBranch<T extends NamedHandoff>(
  all: readonly T[],
  branch: string | undefined,
): T | undefined {
  const [first, second] = handoffsOfBranch(all, branch)
  const isTie = first && second && updated(first) === updated(second)
  return isTie === true ? undefined : first
}

/** The branch in the front matter, else the first word of the Ledger's `Branch` (`main (clean)`). */
export function branchOf(handoff: Handoff): string | undefined {
  const written = registerOf(handoff, 'Branch')?.value.text
  const [word] = written?.replace(/^[`*"]+/, '').split(/[\s`*",;]/) ?? []
  return fieldOf(handoff, 'branch')?.trim() ?? (word === '' ? undefined : word)
}

const INACTIVE = /^(?:complete|done|closed|paused|archived|superseded|abandoned|merged)/i

/** The handoff is still being worked on, as far as its status says. */
export function isActive(handoff: Handoff): boolean {
  return !INACTIVE.test(fieldOf(handoff, 'status') ?? '')
}

function updated({ handoff }: NamedHandoff): string {
  return updatedOf(handoff)?.instant ?? ''
}
