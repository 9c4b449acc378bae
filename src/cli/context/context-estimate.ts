/** `context estimate`: how much of the context a task takes, and whether it fits. */

import type { Estimate } from '../../app/estimate/estimate-task.ts'
import { estimateTask, planTask, textTask } from '../../app/estimate/estimate-task.ts'
import { readPlanFile } from '../../app/estimate/plan-file.ts'
import { usage } from '../../core/errors/errors.ts'
import { isPossible } from '../../core/estimate/verdict.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, sentence } from '../command/command.ts'
import {
  openContext,
  percent,
  readRoom,
  ROOM_OPTIONS,
  sessionOf,
  thousands,
} from './context-words.ts'
import { count, safePath } from '../command/format.ts'

export const contextEstimate: Command = {
  name: 'estimate',
  words: { '[file]': 'a plan or a spec; of a plan, only what is not done yet counts' },
  describe: "Estimate how much of an agent's context a task takes, and whether it fits",
  examples: [
    ['ledger-git context estimate specs/004-rate-limit/tasks.md', 'a plan'],
    [
      'ledger-git context estimate --task "Move src/auth.ts to sessions" --check',
      'exit 1 if it does not fit',
    ],
  ],
  options: {
    task: sentence('the task in words, instead of a file'),
    check: flag('exit 1 when the task must be split, or needs more than remains'),
    ...ROOM_OPTIONS,
  },
  run: async (input) => {
    const estimate = await estimateNamed(input)
    input.print(jsonOf(estimate), linesOf(estimate))
    const isFine = isPossible(estimate)
    for (const way of waysOut(estimate, input.text('file'))) input.say(way)
    return input.flag('check') && !isFine ? 1 : 0
  },
}

async function estimateNamed(input: Input): Promise<Estimate> {
  const [file, task] = [input.filled('file'), input.filled('task')]
  if ((file === undefined) === (task === undefined)) {
    const what = file === undefined ? 'nothing to estimate' : 'a file and --task'
    throw usage(what, 'ledger-git context estimate FILE, or --task "…"')
  }
  const context = await openContext(input)
  const room = await readRoom(input, context)
  const session = sessionOf(context)
  const work =
    task === undefined
      ? planTask(
          context.session,
          readPlanFile(context.session, input.absolute(file ?? ''), file ?? ''),
        )
      : textTask(context.session, task)
  return estimateTask(context.session, work, room, session)
}

function jsonOf(estimate: Estimate) {
  const { tokens, percentOfWindow, percentOfRemaining, verdict, work, rates, room, files } =
    estimate
  return {
    tokens,
    percentOfWindow,
    percentOfRemaining,
    verdict,
    basis: {
      characters: work.characters,
      charactersPerToken: rates.charactersPerToken,
      calibratedFrom: rates.calibration?.pairs ?? 0,
      steps: work.steps,
      tokensPerStep: estimate.tokensPerStep,
      files,
      ratio: rates.ratio,
      comparedTasks: rates.compared,
      window: room.window,
      remaining: room.remaining,
    },
  }
}

function linesOf(estimate: Estimate): string[] {
  const { tokens, percentOfWindow, percentOfRemaining, verdict, work, rates, room, files } =
    estimate
  const rest =
    percentOfRemaining === undefined
      ? 'what remains of it is not known'
      : `${percent(percentOfRemaining)} of the ${thousands(room.remaining ?? 0)} that remain`
  const read = files.reduce((sum, file) => sum + file.tokens, 0)
  const first = files.slice(0, 5).map(({ path }) => safePath(path))
  const names = files.length > 5 ? [...first, '…'] : first
  const learnt =
    rates.compared < 3
      ? 'before enough tasks were compared'
      : `as ${rates.compared} earlier tasks took`
  return [
    `${verdict}: about ${thousands(tokens)} tokens, ${percent(percentOfWindow)} of a window of ${thousands(room.window)}; ${rest}`,
    `  text: ${thousands(work.characters)} characters at ${rates.charactersPerToken} a token`,
    `  work: ${count(work.steps, 'step')} at ${thousands(estimate.tokensPerStep)} tokens`,
    `  files: ${thousands(read)} tokens${files.length === 0 ? '' : ` (${names.join(', ')})`}`,
    `  times ${rates.ratio}, ${learnt}`,
  ]
}

/** What can be done about the verdict; going on anyway is one of the options. */
function waysOut({ verdict }: Estimate, file: string | undefined): string[] {
  const shard = `split it: ledger-git context shard ${file === undefined ? 'FILE' : safePath(file)}`
  const anyway = `${shard}; or have subagents do the reading; or go on anyway`
  return {
    fits: [],
    'consider-sharding': [`next: begin with it, or ${shard}`],
    'must-shard': [`next: ${anyway}`],
    'exceeds-remaining': [`next: begin it in a new session; or ${anyway}`],
  }[verdict]
}
