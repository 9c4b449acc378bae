/** Writing handoffs: `handoff create`, `update`, `complete`. */

import { createHandoff } from '../../app/handoff/change-handoff.ts'
import type { ChangedHandoff } from '../../app/handoff/change-handoff.ts'
import { chooseHandoff } from '../../app/handoff/handoff-files.ts'
import { resolveBranch } from '../../core/event/identity.ts'
import { formatInstant } from '../../core/event/instant.ts'
import { setContext } from '../../core/handoff/edits.ts'
import { itemsOf, readHandoff } from '../../core/handoff/handoff.ts'
import { viewHandoff } from '../../core/handoff/view.ts'
import { setField } from '../../core/document/fields.ts'
import { usage } from '../../core/errors/errors.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, list, sentence, value } from '../command/command.ts'
import { BODY_OPTIONS, readBody } from '../command/event-body.ts'
import { safePath, safeText } from '../command/format.ts'
import {
  bodyEdits,
  eventOfChange,
  readCheckpoint,
  refuseNoChange,
  workflowEdits,
} from './handoff-edits.ts'
import {
  changeNow,
  NAME,
  openHandoffs,
  sayObstacle,
  RECORD_OPTIONS,
  writeRequest,
} from './handoff-words.ts'

export const handoffCreate: Command = {
  name: 'create',
  words: { '<name>': "the work's name, in kebab-case" },
  writes: true,
  describe: 'Create a handoff with a Ledger section, filled in from what is known',
  examples: [
    [
      'ledger-git handoff create auth --goal "Sessions, not JWT" --phases "Tests;Model"',
      'a new handoff',
    ],
  ],
  options: {
    goal: BODY_OPTIONS.goal,
    test: BODY_OPTIONS.test,
    next: BODY_OPTIONS.next,
    phases: sentence('the phases, separated by ;'),
    pattern: sentence('the pattern of the workflow'),
    'agent-name': sentence('the agent that does the work, as the checkpoints name it'),
    task: sentence('the task, as the checkpoints name it'),
    ...RECORD_OPTIONS,
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
    const given = givenTexts(input, handoffCreate)
    const request = { ...writeRequest(input), given, withEvent: input.flag('event') }
    const made = await open.locked(() => createHandoff(open, fields, request))
    printChange(input, open.fromHere(made.path), fields.name, made)
  },
}

export const handoffUpdate: Command = {
  name: 'update',
  words: { '[name]': NAME },
  writes: true,
  describe: "Change a handoff's Ledger in place, and record the change as an event",
  examples: [
    ['ledger-git handoff update --now "Logout" --done "Login"', 'the handoff of this branch'],
    ['ledger-git handoff update auth --unconfirmed "Caches, too?"', 'for the next agent to ask'],
  ],
  options: {
    ...BODY_OPTIONS,
    'done-now': flag('mark the old Now as done, instead of moving it to the top of Next'),
    unconfirmed: { ...list('something to verify (repeatable)'), isSentence: true },
    pattern: sentence('the pattern of the workflow'),
    phase: value('the number of the phase'),
    'total-phases': value('how many phases there are'),
    retries: value('the number of retries so far'),
    'max-retries': value('the maximum number of retries'),
    resolved: { ...list('key=value, known now (repeatable)'), isSentence: true },
    unknown: { ...list('key, not known yet (repeatable)'), isSentence: true },
    'last-failure': sentence('what failed; "" if nothing did'),
    context: value('a file whose text becomes the Context'),
    reason: sentence('why the event was written'),
    ...RECORD_OPTIONS,
  },
  run: async (input) => {
    const body = readBody(input)
    const checkpoints = body.checkpoints.map(readCheckpoint)
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, input.text('name'))
    const context = readContext(input)
    const edits = [...bodyEdits(input, body), ...workflowEdits(input)]
    if (context !== undefined) edits.push(setContext(context))
    if (edits.length === 0) throw usage('nothing to change', 'for example --now "fix the parser"')
    const given = { ...givenTexts(input, handoffUpdate), '--context': [context ?? []].flat() }
    const changed = await changeNow(input, open, file, {
      edits: (time, before) => {
        refuseNoChange(input, before, edits.length)
        return [...edits, ...checkpoints.map((edit) => edit(time))]
      },
      said: (before, after) => eventOfChange(input, body, before, after),
      given,
    })
    printChange(input, open.fromHere(changed.path), file.name, changed)
  },
}

export const handoffComplete: Command = {
  name: 'complete',
  words: { '[name]': NAME },
  writes: true,
  describe: 'Set the status of a handoff to complete',
  examples: [['ledger-git handoff complete auth-refactor', 'nobody works on it any more']],
  options: RECORD_OPTIONS,
  run: async (input) => {
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, input.text('name'))
    const changed = await changeNow(input, open, file, {
      edits: () => [({ document }) => readHandoff(setField(document, ['status'], 'complete'))],
      said: (_, after) => {
        const hasNext = itemsOf(after.byName.next).length > 0
        return { reason: 'handoff complete', ...(hasNext ? {} : { next: [] }) }
      },
      given: {},
    })
    printChange(input, open.fromHere(changed.path), file.name, changed)
  },
}

function readContext(input: Input): string | undefined {
  const path = input.filled('context')
  if (path === undefined) return undefined
  const text = input.context.files.read(input.absolute(path))
  if (text !== undefined && text.isWellFormed()) return text.replace(/^\ufeff/, '')
  const what = text === undefined ? 'cannot be read' : 'is not UTF-8'
  throw usage(`--context ${path} ${what}`, 'name a text file')
}

/** The values of the options that say something, not how the change is recorded. */
function givenTexts(input: Input, { options = {} }: Command): Record<string, string[]> {
  const names = Object.keys(options).filter((name) => !Object.hasOwn(RECORD_OPTIONS, name))
  return Object.fromEntries(names.map((name) => [`--${name}`, input.texts(name)]))
}

/** Prints the three lines of the seed's format. */
function printChange(input: Input, path: string, name: string, changed: ChangedHandoff): void {
  const { event, commit, handoff, time } = changed
  const { now, thisSession, next, status } = viewHandoff(handoff)
  /** At most three of the texts. */
  const summary = (texts: readonly string[], shown = texts.slice(-3)) => {
    const said = shown.map((text) => safeText(text)).join('; ') || '(none)'
    return texts.length > 3 ? `${said} (and ${texts.length - 3} more)` : said
  }
  const updated = formatInstant(time)
  const json = { path, name, status, updated, done: thisSession, now, next, event: event?.path }
  input.print({ ...json, commit }, [
    `Continuity ledger updated: ${safePath(path)}`,
    'Current state:',
    `- Done: ${summary(thisSession)}`,
    `- Now: ${summary(now)}`,
    `- Next: ${summary(next, next.slice(0, 3))}`,
    'Ready for /clear - ledger will reload on resume.',
  ])
  sayObstacle(input, changed)
}
