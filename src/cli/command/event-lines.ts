/** Events and ledger changes as coloured lines for people: when, who, what. */

import { agoOf } from '../../core/event/age.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { whoOf } from '../../core/event/event.ts'
import { formatInstant } from '../../core/event/instant.ts'
import { changeText } from '../../core/ledger/change-text.ts'
import type { AttributedChange, LedgerChange } from '../../core/ledger/diff-ledgers.ts'
import type { Input } from './command.ts'
import { eventFacts, safeText } from './format.ts'

function whenAndWho(event: LedgerEvent, input: Input): string {
  const { dim, cyan } = input.paint
  return `${dim(agoOf(event.ts, input.context.clock.now()).padEnd(10))}  ${cyan(safeText(whoOf(event)))}`
}

/** The members that every JSON answer about an event begins with. */
export function eventHead({ file, ts, agent, branch, stream, type }: LedgerEvent) {
  return { file, ts: formatInstant(ts), agent, branch, stream, type }
}

export function eventLine(event: LedgerEvent, input: Input): string {
  return `${whenAndWho(event, input)}  ${safeText(event.type ?? '-')}`
}

/** An event in one line: the first thing that it says, and the number of further ones. */
export function shortEventLine(event: LedgerEvent, input: Input): string {
  const [first = '', ...more] = eventFacts(event)
  const rest = more.length === 0 ? '' : input.paint.dim(` (+${more.length})`)
  return `${whenAndWho(event, input)}  ${safeText(first, 100)}${rest}`
}

export function changeLine(one: LedgerChange, { paint }: Input): string {
  const { green, red, yellow } = paint
  return { added: green, removed: red, changed: yellow }[one.change](changeText(one))
}

/** The same, with who set the current value, and when. */
export function attributedLine(one: AttributedChange, input: Input): string {
  const painted = changeLine(one, input)
  if (one.by === null) return painted
  const when = agoOf(one.by.ts, input.context.clock.now())
  return `${painted}${input.paint.dim(`  (${safeText(whoOf(one.by))}, ${when})`)}`
}
