/** `context shard`: a plan in parts that one session each can do. */

import { readPlanFile } from '../../app/estimate/plan-file.ts'
import type { ShardFile } from '../../app/estimate/shard-files.ts'
import { planShards, writeShards } from '../../app/estimate/shard-files.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { percentOf } from '../../core/estimate/verdict.ts'
import type { Command, Input } from '../command.ts'
import { flag, value } from '../command.ts'
import { openContext, percent, readRoom, thousands, WINDOW_OPTION } from '../context-words.ts'
import { count, safePath, safeText } from '../format.ts'

export const contextShard: Command = {
  name: 'shard',
  words: { '<file>': 'a plan: tasks.md, plan.md, prd.json, any Markdown with tasks' },
  describe: 'Cut a plan into parts below 30 % of a window, each to be done by one session',
  writes: true,
  examples: [
    ['ledger-git context shard specs/004-rate-limit/tasks.md', 'what the parts would be'],
    ['ledger-git context shard specs/004-rate-limit/tasks.md --write', 'and their files'],
  ],
  options: {
    into: value('so many parts, whatever their size'),
    write: flag('write the parts into a folder beside the plan (tasks.shards/)'),
    issues: flag('a sub-issue for each part, in the tracker'),
    ...WINDOW_OPTION,
  },
  run: async (input) => {
    const context = await openContext(input)
    const shown = input.word('file')
    const { window } = readRoom(input)
    const into = partsIn(input)
    if (input.flag('issues')) {
      throw new LedgerError(
        'TRACKER_MISSING',
        'no issue tracker is set up here: no sub-issues were made, and nothing was written',
        'leave --issues out',
      )
    }
    const file = readPlanFile(context, input.context.absolute(shown), shown)
    const shards = planShards(context, file, shown, { into, window })
    const gone = input.flag('write') ? await writeShards(context, file, shards) : []
    const { fromHere } = context.open
    const path = (from: string) => (file.path === undefined ? from : fromHere(from))
    input.print(
      {
        shards: shards.map((shard) => ({
          title: shard.title,
          file: path(shard.file),
          tokens: shard.tokens,
          percentOfWindow: percentOf(shard.tokens, window),
          tasks: shard.tasks,
          done: shard.done,
        })),
        written: input.flag('write') && shards.length > 1,
        removed: gone.map(path),
      },
      shards.map((shard, i) => line(shard, i, window)),
    )
    for (const remark of remarks(input, shards, into)) input.say(remark)
  },
}

function partsIn(input: Input): number | undefined {
  const text = input.filled('into')
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new LedgerError(
    'USAGE',
    `--into ${text} is no number from 1 to 999`,
    'for example --into 3',
  )
}

function line({ title, tokens, tasks, done, file }: ShardFile, i: number, window: number): string {
  const progress = done === 0 ? count(tasks, 'task') : `${done} of ${count(tasks, 'task')} done`
  return `${i + 1}. ${safeText(title || file)}: about ${thousands(tokens)} tokens (${percent(percentOf(tokens, window))}), ${progress}`
}

function remarks(input: Input, shards: readonly ShardFile[], into: number | undefined): string[] {
  const [first] = shards
  const large = shards.flatMap(({ isTooLarge, units }, i) =>
    isTooLarge ? [{ number: i + 1, isAlone: units.length < 2 }] : [],
  )
  const folder = first && safePath(first.file.slice(0, first.file.lastIndexOf('/')))
  const wasWritten = input.flag('write') && shards.length > 1
  return [
    ...large.map(({ number, isAlone }) =>
      isAlone
        ? `part ${number} is one task that is above 30 % by itself: cut the task`
        : `part ${number} is above 30 %: more parts would be smaller`,
    ),
    ...(into !== undefined && shards.length < into
      ? [`the plan has no more than ${count(shards.length, 'task')} to cut between`]
      : []),
    ...(shards.length === 1 && into === undefined && large.length === 0
      ? ['it is below 30 % of the window: no parts are needed']
      : []),
    ...(wasWritten ? [`written to ${folder}; tick what is done in the plan, not there`] : []),
    ...(shards.length > 1 && !wasWritten ? ['next: --write writes them'] : []),
  ]
}
