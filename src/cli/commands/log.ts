import { readArchive } from '../../app/ledger/read-archive.ts'
import { filterEvents, readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { filterOptions, readFilter, typeOption } from '../filter-options.ts'
import { eventFacts, eventLine, safeText } from '../format.ts'

const NO_ARCHIVE = { events: [], unreadable: [] }

export const log: Command = {
  name: 'log',
  describe: 'The timeline: what each event said, newest first',
  examples: [
    ['ledger-git log --branch main -n 10', 'the last ten events of one branch'],
    ['ledger-git log --all --since 90d', 'a quarter, with the archived events'],
  ],
  options: (yargs) =>
    typeOption(filterOptions(yargs))
      .option('rev', { type: 'string', describe: 'the events of this commit' })
      .option('all', { type: 'boolean', describe: 'archived events too' })
      .option('limit', { alias: 'n', type: 'number', describe: 'at most this many events' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const rev = text(args, 'rev')
    const set = await readLedgerEvents(repository, settings, rev)
    const archive = flag(args, 'all') ? await readArchive(repository, settings, rev) : NO_ARCHIVE
    for (const path of archive.unreadable) {
      context.stderr(`archive/${safeText(path)}: not an archived event\n`)
    }
    const limit = typeof args['limit'] === 'number' ? args['limit'] : Infinity
    if (!(limit >= 0))
      throw new LedgerError('USAGE', '--limit is not a number', 'for example -n 10')
    const known = new Set(set.events.map(({ file }) => file))
    const all = [...set.events, ...archive.events.filter(({ file }) => !known.has(file))]
    const events = filterEvents(all, readFilter(args, context)).toReversed().slice(0, limit)
    if (flag(args, 'json')) {
      printJson(
        context,
        events.map((event) => ({
          file: event.file,
          ts: formatInstant(event.ts),
          agent: event.agent,
          branch: event.branch ?? null,
          type: event.type ?? null,
          facts: eventFacts(event),
        })),
      )
      return 0
    }
    for (const event of events) {
      const lines = [eventLine(event), ...eventFacts(event).map((fact) => `    ${fact}`)]
      context.stdout(`${lines.join('\n')}\n`)
    }
    return 0
  },
}
