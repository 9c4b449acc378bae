/** The options of `handoff update` as edits of a handoff, and as the event that reports them. */

import {
  addQuestion,
  resolveQuestion,
  setDecision,
  setEntry,
  setGoal,
  setLastFailure,
  setRegister,
  setResolved,
  setTitle,
} from '../../core/handoff/edits.ts'
import { addDone, addNext, clearNext, setFocus } from '../../core/handoff/work-edits.ts'
import type { Instant } from '../../core/event/instant.ts'
import { parseInstant } from '../../core/event/instant.ts'
import { usage } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/event.ts'
import type { Edit } from '../../core/handoff/edit-lines.ts'
import type { Handoff } from '../../core/handoff/handoff.ts'
import { focusesOf, itemsOf } from '../../core/handoff/handoff.ts'
import { setPhase } from '../../core/handoff/phase-edits.ts'
import { PHASE_STATES, phaseStateOf } from '../../core/handoff/phases.ts'
import type { Input } from '../command/command.ts'
import type { EventBody } from '../command/event-body.ts'
import { isEmptyBody } from '../command/event-body.ts'

export function bodyEdits(input: Input, body: EventBody): Edit[] {
  const { title, goal, test, now, next } = body
  const isDone = input.flag('done-now')
  return [
    ...(title === undefined ? [] : [setTitle(title)]),
    ...(goal === undefined ? [] : [setGoal(goal)]),
    ...(test === undefined ? [] : [setRegister('Test', test)]),
    ...(now === undefined && !isDone ? [] : [setFocus(now, isDone ? 'done' : 'next')]),
    ...body.thisSession.map(addDone),
    ...(next?.length === 0 ? [clearNext] : []),
    ...(next ?? []).map(addNext),
    ...body.decisions.map(({ key, value }) => setDecision(key, value)),
    ...body.openQuestions.map(addQuestion),
    ...input.texts('unconfirmed').map((text) => addQuestion(`UNCONFIRMED: ${text}`)),
    ...body.resolvedQuestions.map(resolveQuestion),
    // A placeholder, so that a phase counts as a change: phases are set later, with the time of the change.
    ...(body.checkpoints.length === 0 ? [] : [(handoff: Handoff) => handoff]),
  ]
}

const WORKFLOW = {
  pattern: 'pattern',
  phase: 'phase',
  'total-phases': 'total_phases',
  retries: 'retries',
  'max-retries': 'max_retries',
}

export function workflowEdits(input: Input): Edit[] {
  const failure = input.text('last-failure')
  return [
    ...Object.entries(WORKFLOW).flatMap(([option, key]) => {
      const text = input.filled(option)
      if (text === undefined) return []
      if (option !== 'pattern' && !/^\d+$/.test(text))
        throw usage(`--${option} ${text} is not a number`)
      return [setEntry('workflow', key, text)]
    }),
    ...input.texts('resolved').map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1)
        throw usage(`--resolved ${pair} is not key=value`, 'for example --resolved storage=redis')
      return setResolved(pair.slice(0, at), pair.slice(at + 1))
    }),
    ...input.texts('unknown').map((key) => setEntry('unknowns', key, 'UNKNOWN')),
    ...(failure === undefined ? [] : [setLastFailure(failure)]),
  ]
}

/** Throws `USAGE` if the handoff could not say the checkpoint: it has one line per phase, with one of five states. */
export function readCheckpoint({
  phase,
  status = 'in_progress',
  updated,
}: EventBody['checkpoints'][number]): (time: Instant) => Edit {
  const next = `for example --checkpoint phase=5,status=${phaseStateOf(status) ?? 'validated'}`
  if (phase === undefined)
    throw usage("--checkpoint names no phase, and a handoff's status is that of a phase", next)
  const state = phaseStateOf(status)
  if (state === undefined) {
    const known = Object.keys(PHASE_STATES).join(', ')
    throw usage(`--checkpoint: a phase cannot be ${status}, only ${known}`, next)
  }
  const at = updated === undefined ? undefined : parseInstant(updated)?.instant
  return (time) => setPhase({ phase, state, note: undefined, time: at ?? time })
}

/** Throws `USAGE` if `--done-now` alone was given and nothing is in progress: that would change nothing. */
export function refuseNoChange(input: Input, before: Handoff, edits: number): void {
  if (edits > 1 || !input.flag('done-now') || input.text('now') !== undefined) return
  if (focusesOf(before).length > 0) return
  const next = 'name what was done: --done "the parser"'
  throw usage('--done-now: nothing is in hand, so nothing can be marked as done', next)
}

/** The event says what was given, and what the document turned it into. */
export function eventOfChange(
  input: Input,
  body: EventBody,
  before: Handoff,
  after: Handoff,
): Omit<NewEvent, 'ts' | 'agent'> {
  const texts = (handoff: Handoff, name: 'next' | 'thisSession') =>
    itemsOf(handoff.byName[name]).map(({ words }) => words.text)
  const [was, is] = [texts(before, 'next'), texts(after, 'next')]
  const moved = input.flag('done-now') ? focusesOf(before).map(({ words }) => words.text) : []
  const fields = {
    ...body,
    thisSession: [...new Set([...moved, ...body.thisSession])],
    next: was.join('\n') === is.join('\n') && body.next === undefined ? undefined : is,
    openQuestions: [
      ...body.openQuestions,
      ...input.texts('unconfirmed').map((text) => `UNCONFIRMED: ${text}`),
    ],
  }
  const options = [...Object.keys(WORKFLOW), 'resolved', 'unknown', 'last-failure', 'context']
  const named = options.filter((name) => input.texts(name).length > 0)
  const reason =
    input.filled('reason') ??
    (isEmptyBody(fields) || fields.next?.length === 0
      ? `handoff updated: ${named.join(', ')}`
      : undefined)
  return { ...fields, reason }
}
