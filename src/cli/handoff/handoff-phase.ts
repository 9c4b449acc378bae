/** `handoff phase` and `handoff resume`: recording the steps of resumable work, and resuming it. */

import { refuseChange } from '../../app/handoff/change-handoff.ts'
import { requireConsent } from '../../app/handoff/consent.ts'
import { chooseHandoff } from '../../app/handoff/handoff-files.ts'
import type { HandoffFile } from '../../app/handoff/read-handoffs.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { formatInstant } from '../../core/event/instant.ts'
import { phaseMeant, stepPhase } from '../../core/handoff/phase-edits.ts'
import type { PhaseState } from '../../core/handoff/phases.ts'
import { phaseKey } from '../../core/handoff/phases.ts'
import { setValidation, validationOf } from '../../core/handoff/validation.ts'
import { didYouMean, nearest } from '../../core/text/did-you-mean.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, sentence, value } from '../command/command.ts'
import { safePath, safeText } from '../command/format.ts'
import type { OpenHandoffs } from './handoff-words.ts'
import {
  changeNow,
  NAME,
  openHandoffs,
  sayObstacle,
  RECORD_OPTIONS,
  writeRequest,
} from './handoff-words.ts'
import { resumeLines, viewJson, viewWithEvents } from './handoff-view.ts'

const STEPS = {
  start: 'in_progress',
  pass: 'validated',
  fail: 'failed',
  skip: 'skipped',
} as const satisfies Readonly<Record<string, PhaseState>>
type Step = keyof typeof STEPS

const YES = flag('agree to run the command in the file; for a person only')

export const handoffPhase: Command = {
  name: 'phase',
  words: { '<words..>': '[name] start|pass|fail|skip PHASE' },
  writes: true,
  describe: "Record a phase's step: its line, the Validation State and the Resume Context",
  examples: [
    ['ledger-git handoff phase start 3', 'phase 3 of the active handoff begins'],
    ['ledger-git handoff phase auth-refactor pass 3 --tests 15/15', 'phase 3 is validated'],
    [
      'ledger-git handoff phase pass 3 --run "npm test"',
      'the command decides: validated or failed',
    ],
  ],
  options: {
    note: sentence('a note about the step'),
    tests: value('passing/all, for example 15/15'),
    // Without a value, it runs the command that the handoff names.
    run: {
      ...sentence(
        'run a command first (default: the last test command), and let its status decide',
      ),
      nargs: undefined,
    },
    yes: YES,
    ...RECORD_OPTIONS,
  },
  run: async (input) => {
    const { name, step, phase } = readWords(input)
    const example = 'for example --tests 15/15'
    const tests = input.parsed('tests', readTests, ' is not passing/all', example)
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, name)
    const given = {
      '--note': input.texts('note'),
      '--run': input.texts('run'),
      PHASE: [phase],
    }
    // The command runs only if its result can be recorded.
    await refuseChange(open, file, { ...writeRequest(input), given })
    const ran =
      input.text('run') === undefined ? undefined : await runFirst(input, open, file, step)
    const state = ran === undefined ? STEPS[step] : ran.status === 0 ? 'validated' : 'failed'
    const failure =
      ran === undefined || ran.status === 0 ? undefined : `${ran.command} ended with ${ran.status}`
    const passing = tests && `${tests.passing}/${tests.all} tests passing`
    const notes = [input.filled('note'), passing, failure].filter((text) => text !== undefined)
    const note = notes.join(', ') || undefined
    const { files } = await open.repository.history.workSince(file.path)
    const kept = files.filter((path) => !path.startsWith(`${open.settings.root}/`))
    const changed = await changeNow(input, open, file, {
      edits: (time) => [
        stepPhase({ phase, state, note, time }),
        (handoff) =>
          setValidation({
            test_count: tests?.all,
            tests_passing: tests?.passing,
            files_modified: joined(validationOf(handoff)?.values?.['files_modified'], kept),
            last_test_command: ran?.command,
            last_test_exit_code: ran?.status,
          })(handoff),
      ],
      said: (_, after) => {
        const key = phaseMeant(after, phase)?.key ?? phaseKey(phase)
        return { reason: note, checkpoints: [{ phase: key, status: state, updated: undefined }] }
      },
      given,
    })
    const { path, handoff, time, event, commit } = changed
    const line = phaseMeant(handoff, phase)
    input.print(
      {
        path: open.fromHere(path),
        name: file.name,
        phase: line?.key ?? phase,
        status: state,
        updated: formatInstant(time),
        command: ran?.command,
        exit_code: ran?.status,
        event: event?.path,
        commit,
      },
      `${safeText(line?.label.text ?? phase)}: ${safeText(line?.state.text ?? state)}`,
    )
    sayObstacle(input, changed)
    return ran !== undefined && ran.status !== 0 ? 1 : 0
  },
}

export const handoffResume: Command = {
  name: 'resume',
  words: { '[name]': NAME },
  describe: 'Show what the next agent needs to know: Now, Next, decisions, questions, phases',
  examples: [
    ['ledger-git handoff resume', 'the active handoff of this branch'],
    ['ledger-git handoff resume auth-refactor --run', 'and check that the last test still passes'],
  ],
  options: {
    run: flag('run the last test command again, and compare its exit status'),
    yes: YES,
  },
  run: async (input) => {
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, input.text('name'))
    const view = await viewWithEvents(input, open, file)
    const { commits } = await open.repository.history.workSince(file.path)
    const now = input.context.clock.now()
    if (!input.json) input.print(undefined, resumeLines(file, view, { now, commits }))
    const test = input.flag('run') ? await runLast(input, open, file) : undefined
    const { last_test_exit_code: wanted } = validationOf(file.handoff)?.values ?? {}
    const expected = typeof wanted === 'number' ? wanted : 0
    const matches = test === undefined || test.status === expected
    const run = test && { command: test.command, exit_code: test.status, expected, matches }
    const what = matches
      ? 'as before'
      : `expected ${expected}: find out what changed before you go on`
    input.print(
      { ...viewJson(file, view), commits_since: commits, run },
      test === undefined ? [] : `Last test: exit ${test.status}, ${what}`,
    )
    return matches ? 0 : 1
  },
}

interface Ran {
  readonly command: string
  readonly status: number
}

/** A typed command is the caller's own; the command in the file needs a person's consent. */
async function runFirst(
  input: Input,
  open: OpenHandoffs,
  file: HandoffFile,
  step: Step,
): Promise<Ran> {
  if (step !== 'pass' && step !== 'fail')
    throw usage(`--run goes with pass or fail, not with ${step}`)
  const typed = input.filled('run')
  if (typed === undefined) return runLast(input, open, file)
  if (typed.includes('\0')) throw usage('--run: a command cannot hold a NUL')
  return { command: typed, status: await input.context.runCommand(typed, open.top) }
}

async function runLast(input: Input, open: OpenHandoffs, file: HandoffFile): Promise<Ran> {
  const { context } = input
  const command = validationOf(file.handoff)?.values?.['last_test_command']
  if (typeof command !== 'string' || command.trim() === '') {
    const next = `ledger-git handoff phase ${shellWord(file.name)} pass PHASE --run "npm test"`
    const what = `${safePath(file.path)} names no last_test_command`
    throw new LedgerError('HANDOFF_UNREADABLE', what, next)
  }
  const world = {
    files: context.files,
    commonDir: open.repository.place.commonDir,
    env: context.env,
    isAgent: context.isBelowAgent(),
    askOnTerminal: context.askOnTerminal,
  }
  await requireConsent(world, command, open.top, input.flag('yes'))
  return { command, status: await context.runCommand(command, open.top) }
}

/** Reads `[name] step phase`. A handoff named like a step needs all three words. */
function readWords(input: Input): { name: string | undefined; step: Step; phase: string } {
  const words = input.texts('words')
  const [name, step = '', phase = ''] = words.length === 3 ? words : [undefined, ...words]
  const isStep = Object.hasOwn(STEPS, step) && phase.trim() !== '' && words.length <= 3
  if (isStep) return { name, step: step as Step, phase }
  const next = 'for example ledger-git handoff phase pass 3'
  const typed = words.length === 3 ? step : (words[0] ?? '')
  const meant = Object.hasOwn(STEPS, typed) ? undefined : nearest(typed, Object.keys(STEPS))
  throw usage(`expected [NAME] start|pass|fail|skip PHASE${didYouMean(meant)}`, next)
}

function readTests(text: string): { passing: number; all: number } | undefined {
  const [, passing, all] = /^\s*(\d{1,9})\s*\/\s*(\d{1,9})\s*$/.exec(text) ?? []
  const counts = { passing: Number(passing), all: Number(all) }
  return counts.passing <= counts.all ? counts : undefined
}

const MAX_FILES = 100

/** The names already in the file, then those from git; undefined if none is new. */
function joined(known: unknown, files: readonly string[]): string[] | undefined {
  const names = Array.isArray(known) ? known.filter((name) => typeof name === 'string') : []
  const all = [...new Set([...names, ...files])]
  return all.length === names.length ? undefined : all.slice(-MAX_FILES)
}
