/** Problems in a handoff that would trip up its readers. */

import type { Line } from '../document/document.ts'
import type { Instant } from '../event/instant.ts'
import { instantToMillis } from '../event/instant.ts'
import { fieldOf, focusesOf, registerOf, updatedOf } from './handoff.ts'
import type { Handoff } from './handoff.ts'
import { phasesOf } from './phases.ts'
import { validationOf } from './validation.ts'
import { isActive } from './choose.ts'

export interface HandoffProblem {
  readonly problem: string
  /** 1-based; undefined if something is missing. */
  readonly line: number | undefined
}

const DAY = 24 * 60 * 60 * 1000

/** The 1-based line where a conflict begins that git left in the text; undefined if there is none. */
export function conflictLine({ document }: Handoff): number | undefined {
  const isMarker = ({ kind, text }: Line) => kind !== 'code' && text.startsWith('<<<<<<< ')
  const found = document.lines.find(isMarker)
  return found && found.at + 1
}

export function lintHandoff(handoff: Handoff, now: Instant): HandoffProblem[] {
  const { byName, document, ledger, text } = handoff
  const problems: HandoffProblem[] = []
  const add = (problem: string, at?: number) => {
    const line = at === undefined ? undefined : text.slice(0, at).split('\n').length
    problems.push({ problem, line })
  }
  if (document.front === undefined)
    add('it has no front matter (date, session_name, branch, status)')
  else if (fieldOf(handoff, 'status') === undefined) add('its front matter has no status')
  if (/^(?:<{7}|={7}|>{7})(?: |\r?$)/m.test(text)) {
    add('it contains conflict markers', text.search(/^<{7}|^={7}\r?$|^>{7}/m))
  }
  if (document.closer !== undefined) {
    const above = document.lines.findLast(({ kind }) => kind !== 'code')
    add('a code fence or a comment is not closed', above?.end ?? 0)
  }
  if (ledger === undefined) {
    add('it has no section ## Ledger')
    return problems
  }
  const register = registerOf(handoff, 'Updated')
  if (register === undefined) add('the Ledger has no **Updated:**', ledger.start)
  else if (updatedOf(handoff) === undefined)
    add('**Updated:** does not begin with a date', register.start)
  if (registerOf(handoff, 'Goal') === undefined) add('the Ledger has no **Goal:**', ledger.start)
  const focuses = focusesOf(handoff)
  if (byName.now === undefined) add('the Ledger has no section ### Now', ledger.start)
  for (const { start } of focuses.slice(1))
    add('a second task is in progress: Now holds only one', start)
  for (const phase of phasesOf(handoff)) {
    const begun = phase.time ?? updatedOf(handoff)?.instant
    const age = begun === undefined ? 0 : instantToMillis(now) - instantToMillis(begun)
    if (phase.status === 'in_progress' && isActive(handoff) && age > DAY) {
      add(`${phase.label.text} has been in progress for ${Math.floor(age / DAY)} d`, phase.start)
    }
    if (phase.status === undefined) add(`${phase.label.text} has no status`, phase.start)
  }
  const validation = validationOf(handoff)
  if (validation !== undefined && validation.values === undefined) {
    add('Validation State is not a JSON object', validation.range.start)
  }
  return problems
}
