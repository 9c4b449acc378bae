/**
 * A loop of our own: the same prompt to a fresh process, until the work is done or nothing happens any more.
 *
 * What an iteration hands over is in files before the next one begins, so that a run that is killed at any
 * point goes on where it stood.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import type { Handover, ReadText } from '../../core/ralph/loop.ts'
import { editOf } from '../../core/ralph/loop.ts'
import { lastWords, promiseIn } from '../../core/ralph/promise.ts'
import type { IterationContext } from '../../core/ralph/ralph-state.ts'
import {
  NEW_RALPH_STATE,
  RALPH_STATE,
  readRalphState,
  withHistory,
  withIteration,
  withoutWaiting,
  withWaiting,
} from '../../core/ralph/ralph-state.ts'
import { hasResume, putResume, takeResume } from '../../core/ralph/resume-block.ts'
import { resumeLines } from '../../core/ralph/resume.ts'
import type { Ending, RunState } from '../../core/ralph/run.ts'
import { afterIteration, newRun } from '../../core/ralph/run.ts'
import { changedWork } from '../../core/ralph/work-mark.ts'
import { readLoopFiles, writeEdits } from './loop-files.ts'
import type { LoopWorld } from './loop-world.ts'

export interface RunOptions {
  /** From the top of the worktree. */
  readonly prompt: string
  readonly max: number | undefined
  /** Only this promise ends the loop. */
  readonly promise: string | undefined
}

export interface RunReport {
  readonly ending: Ending
  readonly promise: string | undefined
  /** Of this run, oldest first. */
  readonly iterations: readonly IterationContext[]
}

export async function runLoop(world: LoopWorld, options: RunOptions): Promise<RunReport> {
  let run: RunState = newRun(options.max)
  let iteration = await begin(world)
  const iterations: IterationContext[] = []
  for (;;) {
    iteration += 1
    const { outcome, context } = await iterate(world, options, iteration)
    if (context !== undefined) iterations.push(context)
    const { state, ending } = afterIteration(run, outcome)
    if (ending !== undefined) return { ending, promise: outcome.promise, iterations }
    run = state
  }
}

/** The iteration that was the last so far. A state in another shape stays as it is. */
async function begin({ worktree, say }: LoopWorld): Promise<number> {
  const read = await readLoopFiles(worktree)
  const text = read(RALPH_STATE)
  if (text === undefined) await worktree.write(RALPH_STATE, NEW_RALPH_STATE)
  const state = readRalphState(text ?? NEW_RALPH_STATE)
  if (state === undefined) {
    say(`${RALPH_STATE} is another program's and stays as it is: this run keeps no history there`)
  }
  return state?.iteration ?? 0
}

async function iterate(world: LoopWorld, { prompt: path, promise: wanted }: RunOptions, n: number) {
  const { worktree } = world
  const read = await readLoopFiles(worktree, [path])
  const prompt = promptOf(read, path)
  // From here on somebody goes on from it.
  await writeEdits(
    worktree,
    editOf(read, RALPH_STATE, (text) => withIteration(withoutWaiting(text), n)),
  )
  world.say(`iteration ${n}${hasResume(prompt) ? ', from a checkpoint' : ''}`)
  const before = await world.mark()
  const lookBack = await world.watch(n)
  const { status, output, isInterrupted } = await world.runAgent(prompt, n)
  if (status === undefined) return notStarted(world, n)
  const { peak, handover } = await lookBack()
  await hand(world, path, n, { peak, handover })
  const after = await world.mark()
  const changed = changedWork(before, after, await world.committed(before, after))
  const promptNow = (await readLoopFiles(worktree, [path]))(path)
  const isOtherPrompt = takeResume(promptNow ?? '') !== takeResume(prompt)
  return {
    context: { iteration: n, peak_percent: peak ?? null, checkpoint: handover !== undefined },
    outcome: {
      promise: promiseIn(lastWords(output), wanted),
      isMissing: false,
      isInterrupted,
      hasChanged: isOtherPrompt || changed.some((one) => one !== path && !world.isOurs(one)),
    },
  }
}

/** No iteration was made: the state says what it said. */
async function notStarted({ worktree }: LoopWorld, n: number) {
  const read = await readLoopFiles(worktree)
  await writeEdits(
    worktree,
    editOf(read, RALPH_STATE, (text) => withIteration(text, n - 1)),
  )
  const outcome = { promise: undefined, isMissing: true, isInterrupted: false, hasChanged: false }
  return { context: undefined, outcome }
}

function promptOf(read: ReadText, path: string): string {
  const prompt = read(path)
  if (prompt !== undefined) return prompt
  throw new LedgerError(
    'RALPH_PROMPT_MISSING',
    `${path} is not there: it is what each iteration is given`,
    'write the task into it, or name another file with --prompt',
  )
}

/** What the next iteration is told, and what is kept of this one. */
async function hand(
  { worktree }: LoopWorld,
  path: string,
  iteration: number,
  { peak, handover }: { peak: number | undefined; handover: Handover | undefined },
): Promise<void> {
  const read = await readLoopFiles(worktree, [path])
  const entry = { iteration, peak_percent: peak ?? null, checkpoint: handover !== undefined }
  await writeEdits(worktree, [
    ...editOf(read, path, (text) =>
      handover === undefined
        ? takeResume(text)
        : putResume(text, resumeLines(handover.point, handover.memory)),
    ),
    ...editOf(read, RALPH_STATE, (text) =>
      withHistory(handover === undefined ? text : withWaiting(text, handover.point), entry),
    ),
  ])
}
