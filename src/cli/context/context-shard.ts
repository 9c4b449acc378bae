/** `context shard`: splits a plan into parts that fit into one session each. */

import { trackShards } from '../../app/estimate/plan-progress.ts'
import { readPlanFile } from '../../app/estimate/plan-file.ts'
import type { ShardFile } from '../../app/estimate/shard-files.ts'
import { planShards, writeShards } from '../../app/estimate/shard-files.ts'
import { usage } from '../../core/errors/errors.ts'
import { percentOf } from '../../core/estimate/verdict.ts'
import { trackerNeeded } from '../../app/tracker/read-tracker.ts'
import { issueInBranch, issueKey } from '../../core/tracker/issue-key.ts'
import type { Command, Input } from '../command/command.ts'
import { flag, value } from '../command/command.ts'
import type { OpenContext } from './context-words.ts'
import { openContext, percent, readWindow, thousands, WINDOW_OPTION } from './context-words.ts'
import { count, safePath, safeText } from '../command/format.ts'

export const contextShard: Command = {
  name: 'shard',
  words: { '<file>': 'a plan: tasks.md, plan.md, prd.json, or any Markdown with tasks' },
  describe: 'Split a plan into parts below 30 % of a window, each for one session',
  writes: true,
  examples: [
    ['ledger-git context shard specs/004-rate-limit/tasks.md', 'what the parts would be'],
    ['ledger-git context shard specs/004-rate-limit/tasks.md --write', 'and their files'],
  ],
  options: {
    into: value('split into this many parts, whatever their size'),
    write: flag('write the parts into a folder next to the plan (tasks.shards/)'),
    issues: flag(
      'create a sub-issue for each part in the tracker, and report progress in the parent',
    ),
    issue: value("the parent issue, such as ANV-123 (default: from the branch's name)"),
    ...WINDOW_OPTION,
  },
  run: async (input) => {
    const context = await openContext(input)
    const shown = input.word('file')
    const { window } = await readWindow(input, context)
    const partsOf = (text: string) => (/^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined)
    const into = input.parsed(
      'into',
      partsOf,
      ' is not a number from 1 to 999',
      'for example --into 3',
    )
    const parent = input.flag('issues') ? await parentOf(input, context) : undefined
    const file = readPlanFile(context.session, input.absolute(shown), shown)
    const shards = planShards(context.session, file, shown, { into, window })
    const gone = input.flag('write') ? await writeShards(context.session, file, shards) : []
    if (parent !== undefined) {
      await trackShards(
        context.session,
        parent,
        { plan: file.path ?? shown, path: file.path },
        shards,
      )
      input.say(`the tracker is told: ${parent}; ledger-git tracker status shows what waits`)
    }
    const { fromHere } = context.open
    const path = (from: string) => (file.path === undefined ? from : fromHere(from))
    input.print(
      {
        shards: shards.map(({ title, file, tokens, tasks, done }) => {
          const percentOfWindow = percentOf(tokens, window)
          return { title, file: path(file), tokens, percentOfWindow, tasks, done }
        }),
        written: input.flag('write') && shards.length > 1,
        removed: gone.map(path),
        issue: parent,
      },
      shards.map((shard, i) => line(shard, i, window)),
    )
    for (const remark of remarks(input, shards, into)) input.say(remark)
  },
}

/** The parent issue. Throws before anything is written. */
async function parentOf(input: Input, { open }: OpenContext): Promise<string> {
  const tracker = await input.context.tracker()
  const { teams } = await trackerNeeded(tracker)
  const { branch } = await open.repository.history.head()
  const named = input.filled('issue')
  const issue = named === undefined ? issueInBranch(branch, teams) : issueKey(named, teams)
  if (issue !== undefined) return issue
  const what =
    named === undefined ? `the name of branch ${branch ?? '(detached)'}` : `--issue ${named}`
  throw usage(
    `${safeText(what)} names no issue of ${teams.join(', ')} (ledger.trackerTeams)`,
    `for example --issue ${teams[0]}-123`,
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
        ? `part ${number} is one task that is above 30 % by itself: split the task`
        : `part ${number} is above 30 %: more parts would be smaller`,
    ),
    ...(into !== undefined && shards.length < into
      ? [`the plan can only be split into ${count(shards.length, 'part')}`]
      : []),
    ...(shards.length === 1 && into === undefined && large.length === 0
      ? ['it is below 30 % of the window: no parts are needed']
      : []),
    ...(wasWritten ? [`written to ${folder}; tick what is done in the plan, not there`] : []),
    ...(shards.length > 1 && !wasWritten ? ['next: --write writes them'] : []),
  ]
}
