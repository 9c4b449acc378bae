/** The state of loops: `ralph status`, `context`, `checkpoint`, `stop`. */

import { readLoopFiles } from '../../app/loops/loop-files.ts'
import { loopsHere, stopLoop } from '../../app/loops/tell-loops.ts'
import { isForeign } from '../../core/ralph/loop.ts'
import { RALPH_STATE, readRalphState } from '../../core/ralph/ralph-state.ts'
import type { Command, Input } from '../command/command.ts'
import { safePath } from '../command/format.ts'
import { CHECKPOINT_OPTIONS, takeCheckpoint } from './context-checkpoint.ts'
import { iterationLine, loopJson, loopLine } from './ralph-words.ts'

export const ralphStatus: Command = {
  name: 'status',
  describe: 'Show the loops of this worktree, and whether a checkpoint waits',
  examples: [['ledger-git ralph status', 'which iteration each loop is in']],
  run: async (input) => {
    await input.openWorktree()
    const loops = await loopsHere(await input.context.sessions())
    const waits = (await stateIn(input))?.checkpoint
    input.print({ loops: loops.map(loopJson), waiting: waits?.handoffFile }, [
      ...(loops.length === 0 ? ['no loop is here'] : loops.map(loopLine)),
      ...(waits === undefined ? [] : [`a checkpoint waits: ${safePath(waits.handoffFile)}`]),
    ])
  },
}

export const ralphContext: Command = {
  name: 'context',
  describe: 'Show how full the context got in each iteration',
  examples: [['ledger-git ralph context', 'oldest first']],
  run: async (input) => {
    await input.openWorktree()
    const history = (await stateIn(input))?.history ?? []
    input.print(
      { iterations: history },
      history.length === 0 ? 'no iteration is known' : history.map(iterationLine),
    )
  },
}

export const ralphCheckpoint: Command = {
  name: 'checkpoint',
  writes: true,
  describe: 'Take a checkpoint, and tell the next iteration where to continue',
  examples: [
    ['ledger-git ralph checkpoint --now "wire the form"', 'for the loops of this worktree'],
  ],
  options: CHECKPOINT_OPTIONS,
  run: async (input) => {
    const request = { by: 'loop', loops: 'all' } as const
    const { context, fromHere, written, lines } = await takeCheckpoint(input, request)
    const { path: handoff, event, issue, loops: files } = written
    const { wip } = written.handoff
    const loops = await loopsHere(context)
    input.print({ handoff, event, wip, loops: loops.map(loopJson), files, issue }, [
      ...lines(files.map((file) => `the next iteration reads: ${safePath(fromHere(file))}`)),
      ...(files.length === 0 ? ['there is no loop here to tell'] : []),
    ])
    if (loops.some((loop) => !isForeign(loop) && loop.isOneSession)) {
      input.say('this loop is one session: its context stays as full as it is until /clear')
    }
  },
}

export const ralphStop: Command = {
  name: 'stop',
  describe:
    'For a loop script, after each iteration: exit 1 when there is a checkpoint to continue from',
  examples: [['ledger-git ralph stop || [ $? -ne 1 ] || continue', 'inside the loop of a script']],
  run: async (input) => {
    await input.openWorktree()
    const handoff = await stopLoop(await input.context.sessions())
    input.print(
      { goes_on: handoff !== undefined, handoff },
      handoff === undefined ? 'no checkpoint waits' : `go on from ${safePath(handoff)}`,
    )
    return handoff === undefined ? 0 : 1
  },
}

async function stateIn(input: Input) {
  const { repository } = await input.context.open()
  const text = (await readLoopFiles(repository.worktree))(RALPH_STATE)
  return text === undefined ? undefined : readRalphState(text)
}
