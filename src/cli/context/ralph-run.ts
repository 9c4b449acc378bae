/** `ralph run`: runs our own loop. */

import { relative } from 'node:path'
import type { RunReport } from '../../app/ralph/run-loop.ts'
import { runLoop } from '../../app/ralph/run-loop.ts'
import { envOf, loopWorld } from '../../app/ralph/watch-work.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import { PROMPT } from '../../core/ralph/state-loop.ts'
import type { Ending } from '../../core/ralph/run.ts'
import { parseDuration } from '../../core/settings/settings.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Command, Input, OpenWorktree } from '../command/command.ts'
import { value } from '../command/command.ts'
import { count, safeText } from '../command/format.ts'
import { iterationLine } from './ralph-words.ts'

/** Without hooks no session is known, so nothing can be handed over on its behalf. */
const UNFOLLOWED =
  'how full the contexts got is not known: for Claude Code, ledger-git install --agent claude --context'

/** Exit statuses by which a script can tell the endings apart. */
const EXITS: Readonly<Record<Exclude<Ending, 'missing'>, number>> = {
  promise: 0,
  maximum: 1,
  'no-change': 1,
  interrupted: 130,
}

const SAID: Readonly<Record<keyof typeof EXITS, string>> = {
  promise: 'the agent says that it is done',
  maximum: 'the maximum number of iterations is reached',
  'no-change': 'two iterations in a row changed nothing',
  interrupted: 'interrupted',
}

export const ralphRun: Command = {
  name: 'run',
  rest: 'COMMAND…',
  writes: true,
  describe: 'Give an agent the same prompt again and again, in a fresh process each time',
  examples: [
    ['ledger-git ralph run --max 20 -- claude -p', 'the prompt is its standard input'],
    ['ledger-git ralph run --prompt tasks/PROMPT.md -- codex exec -', 'another prompt and agent'],
  ],
  options: {
    max: value('end after this many iterations (default: no limit)'),
    prompt: value(`the file that each iteration is given (default: ${PROMPT})`),
    'time-limit': value('end an iteration that takes longer, such as 2h (default: no limit)'),
    promise: value('end on <promise>TEXT</promise> only (default: on any promise)'),
    issue: value('the issue that checkpoints are about, such as ANV-123'),
  },
  run: async (input) => {
    const words = input.rest()
    if (words.length === 0) throw usage('no command to run', 'ledger-git ralph run -- claude -p')
    const open = await input.openWorktree()
    const [max, limit] = boundsIn(input)
    const options = { prompt: promptIn(input, open), max, promise: input.filled('promise') }
    const context = await input.context.sessions()
    const lock = await input.context.loopLock()
    if ('heldBy' in lock) throw alreadyRunning(lock.heldBy)
    const world = loopWorld(context, {
      settings: open.settings,
      issue: input.filled('issue'),
      prompt: options.prompt,
      runAgent: (prompt, iteration) =>
        input.context.runAgent(words, prompt, envOf(context, options, iteration), {
          timeLimit: limit,
          onStart: lock.setHeir,
        }),
    })
    let report: RunReport
    try {
      report = await runLoop({ ...world, say: input.say }, options)
    } finally {
      lock.release()
    }
    if (report.ending === 'missing') throw missing(words[0] ?? '')
    const { ending, promise, iterations } = report
    input.print({ ending, promise, iterations }, linesOf(report, ending))
    const isUnknown = report.iterations.every(({ peak_percent }) => peak_percent === null)
    if (isUnknown && !context.contexts.isFollowed()) input.say(UNFOLLOWED)
    return EXITS[report.ending]
  },
}

function promptIn(input: Input, { top }: OpenWorktree): string {
  const shown = input.filled('prompt')
  if (shown === undefined) return PROMPT
  const path = relative(top, input.absolute(shown))
  if (path !== '' && !path.startsWith('..')) return path
  throw usage(`--prompt ${shellWord(shown)} is not a file of this worktree`)
}

/** The maximum number of iterations, and the time limit of each in milliseconds. */
function boundsIn(input: Input) {
  const max = (text: string) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined)
  const limit = (text: string) => parseDuration(text) || undefined
  const duration = ': expected a duration such as 30m or 2h'
  return [
    input.parsed('max', max, ': expected a number of at least 1', 'leave it out for no limit'),
    input.parsed('time-limit', limit, duration, 'leave it out for no limit'),
  ] as const
}

/** `agent`: the one that is left of a loop that was killed. */
function alreadyRunning(agent: number | undefined): LedgerError {
  if (agent !== undefined) {
    return new LedgerError(
      'RALPH_RUNNING',
      `the agent of a loop that was killed is still running here (process ${agent})`,
      `wait for it, or end it: kill -TERM -${agent}`,
    )
  }
  return new LedgerError(
    'RALPH_RUNNING',
    'a loop runs in this worktree already: two agents would overwrite each other',
    'wait for it, end it with Ctrl-C where it runs, or run this one in a separate worktree',
  )
}

function missing(program: string): LedgerError {
  return new LedgerError(
    'COMMAND_MISSING',
    `${shellWord(program)} could not be started`,
    'check its name, and that it is on PATH',
  )
}

function linesOf({ promise, iterations }: RunReport, ending: keyof typeof EXITS): string[] {
  const why = promise === undefined ? '' : `: ${safeText(promise)}`
  return [
    ...iterations.map(iterationLine),
    `ended after ${count(iterations.length, 'iteration')}: ${SAID[ending]}${why}`,
  ]
}
