/** `context plan`: orders the open tasks of plans into sessions that end at good stopping points. */

import type { PlanFile } from '../../app/estimate/plan-file.ts'
import { readPlanFile } from '../../app/estimate/plan-file.ts'
import { orderIntoSessions } from '../../app/estimate/plan-sessions.ts'
import { percentOf } from '../../core/estimate/verdict.ts'
import type { Session } from '../../core/plan/sessions.ts'
import type { Command } from '../command/command.ts'
import { openContext, percent, readRoom, ROOM_OPTIONS, thousands } from './context-words.ts'
import { count, safePath, safeText } from '../command/format.ts'

export const contextPlan: Command = {
  name: 'plan',
  words: {
    '<files..>': { describe: 'plans, in the order in which to do them', array: true },
  },
  describe: 'Order the open tasks of plans into sessions that end at good stopping points',
  examples: [['ledger-git context plan specs/*/tasks.md', 'all open tasks']],
  options: ROOM_OPTIONS,
  run: async (input) => {
    const context = await openContext(input)
    const room = await readRoom(input, context)
    const names = [...new Set(input.texts('files'))]
    const files = names.map((name) => readPlanFile(context.session, input.absolute(name), name))
    const sessions = orderIntoSessions(context.session, files, room)
    const path = ({ path }: PlanFile, i: number) =>
      path === undefined ? (names[i] ?? '') : context.open.fromHere(path)
    const paths = files.map(path)
    input.print(
      {
        sessions: sessions.map(({ tasks, tokens }) => ({
          tokens,
          percentOfWindow: percentOf(tokens, room.window),
          tasks: tasks.map(({ source, unit }) => ({
            file: paths[source] ?? '',
            line: unit.line,
            id: unit.task?.id,
            title: unit.task?.title ?? unit.group,
            optional: unit.task?.isOptional ?? false,
          })),
          endsAt: unitEnd(tasks),
        })),
      },
      sessions.flatMap((session, i) => linesOf(session, i, paths, room.window)),
    )
    if (sessions.length === 0) input.say('nothing is open in these plans')
    for (const [i, { isTooLarge }] of sessions.entries()) {
      if (isTooLarge)
        input.say(`session ${i + 1} is one task that must be split: ledger-git context shard`)
    }
  },
}

type Tasks = Session['tasks']

/** The plan's checkpoint after these tasks; null if it has none there. */
function unitEnd(tasks: Tasks): string | null {
  return tasks.at(-1)?.unit.checkpoint?.replaceAll('**', '') ?? null
}

function linesOf(
  { tasks, tokens }: Session,
  i: number,
  paths: readonly string[],
  window: number,
): string[] {
  const end = unitEnd(tasks)
  const head = `session ${i + 1}: ${count(tasks.length, 'task')}, about ${thousands(tokens)} tokens (${percent(percentOf(tokens, window))})`
  return [
    head,
    ...tasks.map(({ source, unit }) => {
      const { title = unit.group, isOptional = false } = unit.task ?? {}
      return `  ${safePath(paths[source] ?? '')}:${unit.line}: ${safeText(title, 120)}${isOptional ? ' (optional)' : ''}`
    }),
    ...(end === null ? [] : [`  ends at: ${safeText(end, 120)}`]),
  ]
}
