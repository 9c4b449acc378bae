/** Where loops are: `ralph status`, `context`, `checkpoint`, `stop`. */

import { noteTyped } from '../../app/context/note-checkpoint.ts'
import { observeContext } from '../../app/context/observe-context.ts'
import { writeContextCheckpoint } from '../../app/context/write-checkpoint.ts'
import { readLoopFiles } from '../../app/loops/loop-files.ts'
import { loopsHere, stopLoop } from '../../app/loops/tell-loops.ts'
import { sessionHere } from '../../app/shadow/session-here.ts'
import { isForeign } from '../../core/ralph/loop.ts'
import { RALPH_STATE, readRalphState } from '../../core/ralph/ralph-state.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, sentence, value } from '../command/command.ts'
import { BODY_OPTIONS, readBody } from '../command/event-body.ts'
import { safePath } from '../command/format.ts'
import { iterationLine, loopJson, loopLine } from './ralph-words.ts'

export const ralphStatus: Command = {
  name: 'status',
  hot: true,
  describe: 'Show the loops that are here, and whether a checkpoint waits',
  examples: [['ledger-git ralph status', 'of this worktree']],
  run: async (input) => {
    await input.openWorktree()
    const loops = await loopsHere(await input.context.sessions())
    const waits = (await stateIn(input))?.checkpoint
    input.print({ loops: loops.map(loopJson), waiting: waits?.handoffFile ?? null }, [
      ...(loops.length === 0 ? ['no loop is here'] : loops.map(loopLine)),
      ...(waits === undefined ? [] : [`a checkpoint waits: ${safePath(waits.handoffFile)}`]),
    ])
  },
}

export const ralphContext: Command = {
  name: 'context',
  hot: true,
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
  hot: true,
  writes: true,
  describe: 'Take a checkpoint, and tell the next iteration where to go on',
  examples: [['ledger-git ralph checkpoint --now "wire the form"', 'of the loops that are here']],
  options: {
    ...BODY_OPTIONS,
    reason: sentence('why (default: manual)'),
    issue: value('the issue that it is about, such as ANV-123'),
    wip: { ...flag('commit work in progress'), default: true },
  },
  run: async (input) => {
    const words = readBody(input)
    const { settings, fromHere } = await input.openWorktree()
    const context = await input.context.sessions()
    const session = sessionHere(context)
    const reason = input.filled('reason') ?? 'manual'
    const written = await writeContextCheckpoint(context, session, {
      by: 'loop',
      reason,
      settings,
      record: session && observeContext(context, session, settings, false),
      loops: 'all',
      issue: input.filled('issue'),
      words,
      noWip: !input.flag('wip'),
    })
    const { path, wip, event, issue, loops: files } = written
    if (session !== undefined && context.contexts.isFollowed()) {
      await noteTyped(context, session, settings, { path, reason })
    }
    const loops = await loopsHere(context)
    input.print(
      {
        handoff: path,
        event: event ?? null,
        wip: wip ?? null,
        loops: loops.map(loopJson),
        files,
        issue: issue ?? null,
      },
      [
        `handoff: ${safePath(fromHere(path))}`,
        ...(wip === undefined ? [] : [`work in progress: commit ${wip.slice(0, 8)}`]),
        ...files.map((file) => `the next iteration reads: ${safePath(fromHere(file))}`),
        ...(issue === undefined ? [] : [`the tracker is told: ${issue}`]),
        ...(files.length === 0 ? ['no loop is here that could be told'] : []),
      ],
    )
    if (loops.some((loop) => !isForeign(loop) && loop.isOneSession)) {
      input.say('this loop is one session: its context stays as full as it is until /clear')
    }
  },
}

export const ralphStop: Command = {
  name: 'stop',
  hot: true,
  describe:
    'For a loop script after each iteration: exit 1 when a checkpoint is to be gone on from',
  examples: [['ledger-git ralph stop || continue', 'in the loop of a script']],
  run: async (input) => {
    await input.openWorktree()
    const handoff = await stopLoop(await input.context.sessions())
    input.print(
      { goes_on: handoff !== undefined, handoff: handoff ?? null },
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
