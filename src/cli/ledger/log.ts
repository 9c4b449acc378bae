/** `log`: the timeline of events. */

import { readArchive } from '../../app/ledger/read-archive.ts'
import { filterEvents, readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import type { Command } from '../command/command.ts'
import { flag, value } from '../command/command.ts'
import { eventHead, eventLine, shortEventLine } from '../command/event-lines.ts'
import { eventFacts, safeText } from '../command/format.ts'
import { FILTER_OPTIONS, readFilter, REV, sayWhyNoEvents } from '../command/shared-options.ts'

export const log: Command = {
  name: 'log',
  isLong: true,
  describe: 'Show the timeline: what each event said, newest first',
  examples: [
    ['ledger-git log --branch main -n 10', 'the last ten events of one branch'],
    ['ledger-git log --all --since 90d', 'a quarter, with the archived events'],
  ],
  options: {
    ...FILTER_OPTIONS,
    rev: REV,
    all: flag('include archived events'),
    oneline: flag('one line per event'),
    limit: { ...value('at most this many events'), alias: 'n' },
  },
  run: async (input) => {
    const { repository, settings } = await input.context.open()
    const rev = input.text('rev')
    const set = await readLedgerEvents(repository, settings, rev)
    const archive = input.flag('all') ? await readArchive(repository, settings, rev) : undefined
    for (const path of archive?.unreadable ?? []) {
      input.say(`archive/${safeText(path)}: not an archived event`)
    }
    const limit = input.parsed(
      'limit',
      wholeNumber,
      ' is not a whole number of at least 0',
      'for example -n 10',
    )
    const known = new Set(set.events.map(({ file }) => file))
    const archived = (archive?.events ?? []).filter(({ file }) => !known.has(file))
    const all = filterEvents([...set.events, ...archived], readFilter(input))
    const events = all.toReversed().slice(0, limit)
    if (all.length === 0) sayWhyNoEvents(set, input)
    const shown = events.map((event) => ({ event, facts: eventFacts(event) }))
    const isShort = input.flag('oneline')
    input.print(
      shown.map(({ event, facts }) => ({ ...eventHead(event), facts })),
      shown.flatMap(({ event, facts }) =>
        isShort
          ? shortEventLine(event, input)
          : [eventLine(event, input), ...facts.map((fact) => `    ${fact}`)],
      ),
    )
  },
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
