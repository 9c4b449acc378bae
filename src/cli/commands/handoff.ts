/** Writing handoffs: `handoff create`, `update`, `complete`. */

import { changeHandoff, createHandoff } from '../../app/handoff/change-handoff.ts'
import type { ChangedHandoff } from '../../app/handoff/change-handoff.ts'
import { chooseHandoff } from '../../app/handoff/handoff-files.ts'
import { resolveBranch } from '../../core/event/identity.ts'
import type { Instant } from '../../core/event/instant.ts'
import { formatInstant, parseInstant } from '../../core/event/instant.ts'
import {
  addQuestion,
  resolveQuestion,
  setContext,
  setDecision,
  setEntry,
  setLastFailure,
  setRegister,
  setResolved,
  setTitle,
} from '../../core/handoff/edits.ts'
import { clearNext, addDone, addNext, setFocus } from '../../core/handoff/work-edits.ts'
import type { Edit } from '../../core/handoff/edit-lines.ts'
import { focusesOf, itemsOf } from '../../core/handoff/handoff.ts'
import type { Handoff } from '../../core/handoff/handoff.ts'
import { setPhase } from '../../core/handoff/phase-edits.ts'
import { phaseStateOf } from '../../core/handoff/phases.ts'
import { viewHandoff } from '../../core/handoff/view.ts'
import { setField } from '../../core/document/document.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { NewEvent } from '../../core/event/event.ts'
import type { Command, Input } from '../command.ts'
import { flag, list, sentence, value } from '../command.ts'
import type { EventBody } from '../event-body.ts'
import { BODY_OPTIONS, readBody, saysNothing, usage } from '../event-body.ts'
import { safeText } from '../format.ts'
import { NAME, openHandoffs, sayObstacle, TELL_OPTIONS, writeRequest } from '../handoff-words.ts'

export const handoffCreate: Command = {
  name: 'create',
  words: { '<name>': "the work's name, kebab-case" },
  writes: true,
  describe: 'Create a handoff with a Ledger section, filled from what is known',
  examples: [
    [
      'ledger-git handoff create auth-refactor --goal "Sessions, not JWT" --next "Login endpoint"',
      'a new handoff',
    ],
    ['ledger-git handoff create api-v2 --phases "Tests;Model;Endpoint"', 'with phases'],
  ],
  options: {
    ...TELL_OPTIONS,
    goal: BODY_OPTIONS.goal,
    test: BODY_OPTIONS.test,
    next: BODY_OPTIONS.next,
    phases: sentence('the phases, separated by ;'),
    pattern: sentence('the pattern of the workflow'),
    'agent-name': sentence('the agent that does it, as the checkpoints name it'),
    task: sentence('the task, as the checkpoints name it'),
  },
  run: async (input) => {
    const open = await openHandoffs(input)
    const { branch } = await open.repository.history.head()
    const phases = (input.filled('phases') ?? '').split(';').map((phase) => phase.trim())
    const fields = {
      name: input.word('name'),
      branch: resolveBranch(branch, input.context.env),
      goal: input.filled('goal'),
      test: input.filled('test'),
      next: input.texts('next').filter((step) => step.trim() !== ''),
      phases: phases.filter((phase) => phase !== ''),
      pattern: input.filled('pattern'),
      agentName: input.filled('agent-name'),
      task: input.filled('task'),
    }
    const withEvent = !isSilent(input)
    const given = givenTexts(input, [
      'goal',
      'test',
      'next',
      'phases',
      'pattern',
      'agent-name',
      'task',
    ])
    const request = { ...writeRequest(input), given, withEvent }
    const made = await open.locked(() => createHandoff(open, fields, request))
    printChange(input, open.fromHere(made.path), fields.name, made)
  },
}

export const handoffUpdate: Command = {
  name: 'update',
  words: { '[name]': NAME },
  writes: true,
  describe: "Change a handoff's Ledger in place, and say the change as an event",
  examples: [
    [
      'ledger-git handoff update --now "Logout endpoint" --done "Login endpoint"',
      'the active handoff of this branch',
    ],
    [
      'ledger-git handoff update auth-refactor --done-now --unconfirmed "Does the limiter need sessions?"',
      'what was in hand is done; a question for the next agent',
    ],
  ],
  options: {
    ...TELL_OPTIONS,
    ...BODY_OPTIONS,
    'done-now': flag('what was in hand is done, instead of going to the top of Next'),
    unconfirmed: { ...list('something to verify (repeat)'), isSentence: true },
    pattern: sentence('the pattern of the workflow'),
    phase: value('the number of the phase'),
    'total-phases': value('how many phases there are'),
    retries: value('how often it was tried again'),
    'max-retries': value('how often it may be tried again'),
    resolved: { ...list('key=value, known now (repeat)'), isSentence: true },
    unknown: { ...list('key, not known yet (repeat)'), isSentence: true },
    'last-failure': sentence('what failed; "" for nothing'),
    context: value('a file whose text becomes the Context'),
    reason: sentence('why the event was written'),
  },
  run: async (input) => {
    const body = readBody(input)
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, input.text('name'))
    const context = readContext(input)
    const edits = [...bodyEdits(input, body), ...workflowEdits(input)]
    if (context !== undefined) edits.push(setContext(context))
    if (edits.length === 0) throw usage('nothing to change', '--now "fix the parser"')
    const names = Object.keys(handoffUpdate.options ?? {}).filter(
      (name) => !Object.hasOwn(TELL_OPTIONS, name) && name !== 'context',
    )
    const given = {
      ...givenTexts(input, names),
      '--context': context === undefined ? [] : [context],
    }
    const changed = await open.locked(async () =>
      changeHandoff(open, await chooseHandoff(open, file.name), {
        ...writeRequest(input),
        edits: (time) => [...edits, ...body.checkpoints.map((one) => checkpointEdit(one, time))],
        said: (before, after) =>
          isSilent(input) ? undefined : changeSaid(input, body, before, after),
        given,
      }),
    )
    printChange(input, open.fromHere(changed.path), file.name, changed)
  },
}

export const handoffComplete: Command = {
  name: 'complete',
  words: { '[name]': NAME },
  writes: true,
  describe: 'Set the status of a handoff to complete',
  examples: [['ledger-git handoff complete auth-refactor', 'nobody works on it any more']],
  options: TELL_OPTIONS,
  run: async (input) => {
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, input.text('name'))
    const changed = await open.locked(async () =>
      changeHandoff(open, await chooseHandoff(open, file.name), {
        ...writeRequest(input),
        edits: () => [({ document }) => setField(document, 'status', 'complete')],
        said: (_, after) => {
          const hasNext = itemsOf(after.byName.next).length > 0
          return isSilent(input)
            ? undefined
            : { reason: 'handoff complete', ...(hasNext ? {} : { next: [] }) }
        },
        given: {},
      }),
    )
    printChange(input, open.fromHere(changed.path), file.name, changed)
  },
}

function bodyEdits(input: Input, body: EventBody): Edit[] {
  const { title, goal, test, now, next } = body
  const isDone = input.flag('done-now')
  return [
    ...(title === undefined ? [] : [setTitle(title)]),
    ...(goal === undefined ? [] : [setRegister('Goal', goal)]),
    ...(test === undefined ? [] : [setRegister('Test', test)]),
    ...(now === undefined && !isDone ? [] : [setFocus(now, isDone ? 'done' : 'next')]),
    ...body.thisSession.map(addDone),
    ...(next?.length === 0 ? [clearNext] : []),
    ...(next ?? []).map(addNext),
    ...body.decisions.map(({ key, value }) => setDecision(key, value)),
    ...body.openQuestions.map(addQuestion),
    ...input.texts('unconfirmed').map((text) => addQuestion(`UNCONFIRMED: ${text}`)),
    ...body.resolvedQuestions.map(resolveQuestion),
    // The phases are set with the time of the change.
    ...(body.checkpoints.length === 0 ? [] : [(handoff: Handoff) => handoff.text]),
  ]
}

const WORKFLOW = {
  pattern: 'pattern',
  phase: 'phase',
  'total-phases': 'total_phases',
  retries: 'retries',
  'max-retries': 'max_retries',
}

function workflowEdits(input: Input): Edit[] {
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
      if (at < 1) throw usage(`--resolved ${pair} is not key=value`, '--resolved storage=redis')
      return setResolved(pair.slice(0, at), pair.slice(at + 1))
    }),
    ...input.texts('unknown').map((key) => setEntry('unknowns', key, 'UNKNOWN')),
    ...(failure === undefined ? [] : [setLastFailure(failure)]),
  ]
}

function checkpointEdit(
  { phase, status, updated }: EventBody['checkpoints'][number],
  time: Instant,
): Edit {
  const state = phaseStateOf(status ?? 'in_progress')
  if (phase === undefined || state === undefined) return ({ text }) => text
  const at = updated === undefined ? time : (parseInstant(updated)?.instant ?? time)
  return setPhase({ phase, state, note: undefined, time: at })
}

/** The event says what was given, and what the document made of it. */
function changeSaid(
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
    (saysNothing(fields) || fields.next?.length === 0
      ? `handoff updated: ${named.join(', ')}`
      : undefined)
  return { ...fields, reason }
}

function readContext(input: Input): string | undefined {
  const path = input.filled('context')
  if (path === undefined) return undefined
  const text = input.context.files.read(input.context.absolute(path))
  if (text !== undefined && text.isWellFormed()) return text.replace(/^\ufeff/, '')
  const what = text === undefined ? 'cannot be read' : 'is not UTF-8'
  throw new LedgerError('USAGE', `--context ${path} ${what}`, 'name a text file')
}

/** `--no-event`. */
function isSilent(input: Input): boolean {
  return !input.flag('event')
}

function givenTexts(input: Input, names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(names.map((name) => [`--${name}`, input.texts(name)]))
}

/** The seed's three lines. */
function printChange(input: Input, path: string, name: string, changed: ChangedHandoff): void {
  const { event, commit = null, handoff, time } = changed
  const { now, thisSession, next, status = null } = viewHandoff(handoff)
  const summary = (texts: readonly string[], count: number) =>
    texts.length === 0
      ? '(none)'
      : texts
          .slice(-count)
          .map((text) => safeText(text))
          .join('; ') + (texts.length > count ? ` (and ${texts.length - count} more)` : '')
  const json = {
    path,
    name,
    status,
    updated: formatInstant(time),
    done: thisSession,
    now,
    next,
    event: event === undefined ? null : event.path,
    commit,
  }
  input.print(json, [
    `Continuity ledger updated: ${path}`,
    'Current state:',
    `- Done: ${summary(thisSession, 3)}`,
    `- Now: ${summary(now, 3)}`,
    `- Next: ${next.length > 3 ? `${summary(next.slice(0, 3), 3)} (and ${next.length - 3} more)` : summary(next, 3)}`,
    'Ready for /clear - ledger will reload on resume.',
  ])
  sayObstacle(input, event)
}
