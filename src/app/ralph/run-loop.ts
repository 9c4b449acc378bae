/**
 * Our own loop: gives the same prompt to a fresh process again and again, until the work is done or nothing happens any
 * more.
 *
 * What an iteration hands over is in files before the next one starts, so a run that is killed at any point can
 * continue where it stopped.
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
  taskOf,
  withHistory,
  withIteration,
  withoutWaiting,
  withRun,
  withWaiting,
} from '../../core/ralph/ralph-state.ts'
import { hasResume, putResume, takeResume } from '../../core/ralph/resume-block.ts'
import { resumeLines } from '../../core/ralph/resume.ts'
import type { Ending, RunState } from '../../core/ralph/run.ts'
import { afterIteration, newRun } from '../../core/ralph/run.ts'
import { changedWork } from '../../core/ralph/work-mark.ts'
import { readLoopFiles, writeEdits } from '../loops/loop-files.ts'
import type { AgentRun, LoopWorld } from './loop-world.ts'

export interface RunOptions {
  /** Relative to the top of the worktree. */
  readonly prompt: string
  readonly max: number | undefined
  /** Only this promise ends the loop. */
  readonly promise: string | undefined
}

export interface RunReport {
  readonly ending: Ending
  readonly promise: string | undefined
  /** The iterations of this run, oldest first. */
  readonly iterations: readonly IterationContext[]
}

export async function runLoop(world: LoopWorld, options: RunOptions): Promise<RunReport> {
  let run: RunState = newRun(options.max)
  let iteration = await begin(world, options)
  const iterations: IterationContext[] = []
  for (;;) {
    iteration += 1
    const { outcome, context } = await iterate(world, options, iteration)
    if (context !== undefined) iterations.push(context)
    const { state, ending } = afterIteration(run, outcome)
    if (ending !== undefined) {
      await change(world, (text) => withRun(text, undefined))
      return { ending, promise: outcome.promise, iterations }
    }
    run = state
  }
}

async function change({ worktree }: LoopWorld, of: (text: string) => string): Promise<void> {
  await writeEdits(worktree, editOf(await readLoopFiles(worktree), RALPH_STATE, of))
}

/** Returns the number of the last iteration so far. A state file in another format is left unchanged. */
async function begin(world: LoopWorld, { prompt: path }: RunOptions): Promise<number> {
  const { worktree, say } = world
  const read = await readLoopFiles(worktree, [path])
  const task = taskOf(promptOf(read, path))
  const text = read(RALPH_STATE)
  if (text === undefined) await worktree.write(RALPH_STATE, NEW_RALPH_STATE)
  const state = readRalphState(text ?? NEW_RALPH_STATE)
  if (state === undefined) {
    say(
      `${RALPH_STATE} is another program's, so it is left unchanged: this run keeps no history there`,
    )
  } else if (state.task === task) await afterKilled(world, path)
  await change(world, (kept) => withRun(kept, task))
  return state?.iteration ?? 0
}

/** After a run was killed: its work is continued. */
async function afterKilled(world: LoopWorld, path: string): Promise<void> {
  const handover = await world.killedAt()
  if (handover === undefined) return
  const read = await readLoopFiles(world.worktree, [path])
  await writeEdits(world.worktree, [
    ...editOf(read, path, (text) => withPoint(text, handover)),
    ...editOf(read, RALPH_STATE, (text) => withWaiting(text, handover.point)),
  ])
}

function withPoint(prompt: string, { point, memory }: Handover): string {
  return putResume(prompt, resumeLines(point, memory))
}

async function iterate(world: LoopWorld, { prompt: path, promise: wanted }: RunOptions, n: number) {
  const { worktree } = world
  const read = await readLoopFiles(worktree, [path])
  const prompt = promptOf(read, path)
  const isResumed = hasResume(prompt)
  // A prompt without the block is a task on its own and does not continue from an older checkpoint.
  await change(world, (text) => withIteration(isResumed ? text : withoutWaiting(text), n))
  const ahead = await world.foresee(prompt)
  const from = isResumed ? ', from a checkpoint' : ''
  world.say(`iteration ${n}${from}${ahead === undefined ? '' : `: ${ahead.said}`}`)
  const before = await world.mark()
  const lookBack = await world.watch(n)
  // Add the warning only to what the agent gets: the prompt file belongs to the user.
  const warning = ahead?.warning === undefined ? '' : `\n${ahead.warning}\n`
  const ran = await world.runAgent(prompt + warning, n)
  if (ran.status === undefined) return notStarted(world, n)
  reportEnd(world, n, ran)
  const { peak, handover } = await lookBack(cutOff(ran))
  const after = await world.mark()
  const changed = changedWork(before, after, await world.committed(before, after))
  const promptNow = (await readLoopFiles(worktree, [path]))(path)
  const isOtherPrompt = takeResume(promptNow ?? '') !== takeResume(prompt)
  const hasChanged = isOtherPrompt || changed.some((one) => one !== path && !world.isOurs(one))
  const context = { iteration: n, peak_percent: peak ?? null, checkpoint: handover !== undefined }
  await handOver(world, path, context, { handover, hasChanged })
  return {
    context,
    outcome: {
      promise: promiseIn(lastWords(ran.output), wanted),
      isMissing: false,
      isInterrupted: ran.isInterrupted,
      hasChanged,
    },
  }
}

/** Why the run did not end by itself; undefined if it did. */
function cutOff({ status, isLate, isInterrupted }: AgentRun): string | undefined {
  if (isLate) return 'time limit'
  if (isInterrupted) return 'interrupted'
  return status === 0 ? undefined : 'the command failed'
}

function reportEnd(
  { say }: LoopWorld,
  n: number,
  { status, isLate, isInterrupted }: AgentRun,
): void {
  if (isLate) say(`iteration ${n} was ended: it took longer than --time-limit`)
  else if (status !== 0 && !isInterrupted) {
    say(`iteration ${n}: the command ended with exit status ${status}`)
  }
}

/** No iteration took place, so the state is reset to the previous number. */
async function notStarted(world: LoopWorld, n: number) {
  await change(world, (text) => withIteration(text, n - 1))
  const outcome = { promise: undefined, isMissing: true, isInterrupted: false, hasChanged: false }
  return { context: undefined, outcome }
}

function promptOf(read: ReadText, path: string): string {
  const prompt = read(path)
  if (prompt !== undefined && takeResume(prompt).trim() !== '') return prompt
  throw new LedgerError(
    'RALPH_PROMPT_MISSING',
    `${path} ${prompt === undefined ? 'does not exist' : 'is empty'}: it is the prompt of each iteration`,
    'write the task into it, or name another file with --prompt',
  )
}

/**
 * Writes what the next iteration is told and what is kept of this one. An iteration that did nothing, for
 * example because its program failed, has used up no checkpoint: the block stays for the next iteration.
 */
async function handOver(
  world: LoopWorld,
  path: string,
  context: IterationContext,
  {
    handover,
    hasChanged,
  }: { readonly handover: Handover | undefined; readonly hasChanged: boolean },
): Promise<void> {
  const inPrompt = (text: string) => {
    if (handover !== undefined) return withPoint(text, handover)
    return hasChanged ? takeResume(text) : text
  }
  const inState = (text: string) => {
    if (handover !== undefined) return withWaiting(text, handover.point)
    return hasChanged ? withoutWaiting(text) : text
  }
  const read = await readLoopFiles(world.worktree, [path])
  await writeEdits(world.worktree, [
    ...editOf(read, path, inPrompt),
    ...editOf(read, RALPH_STATE, (text) => withHistory(inState(text), context)),
  ])
}
