import { filterEvents, readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { formatInstant } from '../../core/event/instant.ts'
import { retractedFiles } from '../../core/ledger/join.ts'
import { problemText } from '../../core/event/problem.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { filterOptions, readFilter, typeOption } from '../filter-options.ts'
import { eventLine, safeText } from '../format.ts'

export const eventList: Command = {
  name: 'list',
  describe: 'List the events, oldest first (exit 1 when files could not be read)',
  examples: [['ledger-git event list --agent toast --since 7d', 'events of one agent, one week']],
  options: (yargs) =>
    typeOption(filterOptions(yargs)).option('rev', {
      type: 'string',
      describe: 'the events of this commit',
    }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const set = await readLedgerEvents(repository, settings, text(args, 'rev'))
    const retracted = retractedFiles(set.events)
    const events = filterEvents(set.events, readFilter(args, context))
    if (flag(args, 'json')) {
      printJson(context, {
        events: events.map((event) => ({
          file: event.file,
          ts: formatInstant(event.ts),
          agent: event.agent,
          branch: event.branch ?? null,
          type: event.type ?? null,
          reason: event.reason ?? null,
          retracted: retracted.has(event.file),
        })),
        problems: set.problems.map((problem) => ({
          file: problem.file,
          problem: problemText(problem),
        })),
      })
    } else {
      for (const event of events) {
        const mark = retracted.has(event.file) ? '  (retracted)' : ''
        context.stdout(`${eventLine(event)}  ${safeText(event.file)}${mark}\n`)
      }
    }
    for (const problem of set.problems) {
      context.stderr(`${safeText(problem.file)}: ${safeText(problemText(problem))}\n`)
    }
    return set.problems.length === 0 ? 0 : 1
  },
}
