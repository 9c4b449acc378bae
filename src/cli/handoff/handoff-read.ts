/** Reading handoffs: `handoff show`, `list`, `check`. */

import { chooseHandoff } from '../../app/handoff/handoff-files.ts'
import { listHandoffs } from '../../app/handoff/read-handoffs.ts'
import { foldToShow, readStreams } from '../../app/handoff/stream-events.ts'
import { formatInstant, instantFromMillis } from '../../core/event/instant.ts'
import { lintHandoff } from '../../core/handoff/lint.ts'
import { isActive } from '../../core/handoff/choose.ts'
import { viewHandoff } from '../../core/handoff/view.ts'
import type { Command } from '../command/command.ts'
import { flag } from '../command/command.ts'
import { count, members, safePath, safeText } from '../command/format.ts'
import { showLines, updatedAge, viewJson, viewWithEvents } from './handoff-view.ts'
import { NAME, openHandoffs } from './handoff-words.ts'

export const handoffShow: Command = {
  name: 'show',
  words: { '[name]': NAME },
  describe: "Show a handoff's Ledger, with the newer events of its stream",
  examples: [['ledger-git handoff show auth-refactor', 'its current state']],
  run: async (input) => {
    const open = await openHandoffs(input)
    const file = await chooseHandoff(open, input.text('name'))
    const view = await viewWithEvents(input, open, file)
    const { newerEvents } = view
    const newer = newerEvents === 0 ? '' : ` (${count(newerEvents, 'newer event')} joined in)`
    const title = `${safePath(open.fromHere(file.path))}${newer}`
    input.print(viewJson(file, view), [title, ...showLines(view)])
  },
}

export const handoffList: Command = {
  name: 'list',
  describe: 'List the handoffs, newest first',
  examples: [
    ['ledger-git handoff list', 'the active handoffs'],
    ['ledger-git handoff list --all', 'complete and paused ones, too'],
  ],
  options: { all: flag('include complete and paused handoffs') },
  run: async (input) => {
    const open = await openHandoffs(input)
    const all = await listHandoffs(open.repository, open.settings.root)
    const eventsOf = await readStreams(open)
    const shown = all
      .filter(({ handoff }) => input.flag('all') || isActive(handoff))
      .map((file) => ({
        ...file,
        view: viewHandoff(foldToShow(file.handoff, eventsOf(file.name)).handoff),
      }))
      .toSorted((a, b) => ((a.view.updated ?? '') < (b.view.updated ?? '') ? 1 : -1))
    const now = input.context.clock.now()
    input.print(
      {
        handoffs: shown.map(({ name, path, handoff, view }) => ({
          name,
          path,
          active: isActive(handoff),
          ...members(view, 'status', 'branch', 'goal', 'now'),
          updated: view.updated && formatInstant(view.updated),
        })),
      },
      shown.map(({ name, view }) => {
        const age = view.updated === undefined ? 'no date' : `${updatedAge(view.updated, now)} ago`
        const status = view.status === undefined ? '' : `, ${safeText(view.status, 40)}`
        return `${safeText(name)}  (${safeText(view.branch ?? 'no branch')}, ${age}${status})  ${safeText(view.now.join('; ') || view.goal || '', 100)}`
      }),
    )
    const hidden = all.length - shown.length
    if (hidden > 0)
      input.say(`${count(hidden, 'handoff')} not shown: ledger-git handoff list --all`)
    if (all.length === 0) input.say('no handoffs; next: ledger-git handoff create NAME')
  },
}

const NOT_UTF8 = {
  problem: 'it is not UTF-8: it can be read, but is never written',
  line: undefined,
}

export const handoffCheck: Command = {
  name: 'check',
  words: { '[name]': 'a handoff, or the beginning of its name (default: all active handoffs)' },
  describe: 'Report problems in handoffs; exit 1 if there are any',
  examples: [['ledger-git handoff check', 'all active handoffs']],
  run: async (input) => {
    const open = await openHandoffs(input)
    const name = input.text('name')
    const all = await listHandoffs(open.repository, open.settings.root)
    const files =
      name === undefined
        ? all.filter(({ handoff }) => isActive(handoff))
        : [await chooseHandoff(open, name)]
    const now = instantFromMillis(input.context.clock.now())
    const checked = files.map(({ name, path, isUtf8, handoff }) => ({
      name,
      path: open.fromHere(path),
      problems: [...(isUtf8 ? [] : [NOT_UTF8]), ...lintHandoff(handoff, now)],
    }))
    input.print(
      { handoffs: checked },
      checked.flatMap(({ path, problems }) =>
        problems.map(
          ({ problem, line }) =>
            `${safePath(path)}${line === undefined ? '' : `:${line}`}: ${safeText(problem)}`,
        ),
      ),
    )
    const found = checked.filter(({ problems }) => problems.length > 0)
    if (found.length === 0) input.say(`${count(checked.length, 'handoff')} checked: no problems`)
    return found.length === 0 ? 0 : 1
  },
}
