/** Which handoff is meant where nobody names one: the active one of a branch that was updated last. */

import { compareBytes } from '../event/event.ts'
import type { Handoff } from './handoff.ts'
import { fieldOf, registerOf, updatedOf } from './handoff.ts'

export interface NamedHandoff {
  readonly name: string
  readonly handoff: Handoff
}

/** The active ones of a branch, the last updated first; those without a date at the end, by name. */
export function handoffsOfBranch(
  all: readonly NamedHandoff[],
  branch: string | undefined,
): NamedHandoff[] {
  const mine = all.filter(({ handoff }) => isActive(handoff) && branchOf(handoff) === branch)
  if (branch === undefined) return []
  return mine.sort((a, b) => compareBytes(updated(b), updated(a)) || compareBytes(a.name, b.name))
}

/** Undefined where there is none, and where two were updated at the same time. */
export function handoffOfBranch(
  all: readonly NamedHandoff[],
  branch: string | undefined,
): NamedHandoff | undefined {
  const [first, second] = handoffsOfBranch(all, branch)
  const isTie = first && second && updated(first) === updated(second)
  return isTie === true ? undefined : first
}

/** The branch that the front matter names, else the Ledger. */
function branchOf(handoff: Handoff): string | undefined {
  const said = fieldOf(handoff, 'branch') ?? registerOf(handoff, 'Branch')?.value.text
  return said?.trim().replace(/^`(.*)`$/, '$1')
}

const OVER = /^(?:completed?|done|closed|archived|superseded|abandoned)\b/i

function isActive(handoff: Handoff): boolean {
  return handoff.ledger !== undefined && !OVER.test(fieldOf(handoff, 'status') ?? '')
}

function updated({ handoff }: NamedHandoff): string {
  return updatedOf(handoff)?.instant ?? ''
}
