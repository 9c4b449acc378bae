/** Reading events: `event list` and `event show`. */

import { readEventFile } from '../../app/ledger/event-files.ts'
import { noteOfEvent } from '../../app/ledger/read-notes.ts'
import { filterEvents, readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import type { LedgerEvent } from '../../core/event/event.ts'
import { eventMeant, filesMeant } from '../../core/event/file-word.ts'
import { formatInstant } from '../../core/event/instant.ts'
import { openProblems, retractedFiles } from '../../core/event/event-set.ts'
import { problemText } from '../../core/event/problem.ts'
import type { Command } from '../command/command.ts'
import { eventHead, eventLine } from '../command/event-lines.ts'
import { eventFacts, members, noteLines, safeText } from '../command/format.ts'
import { FILTER_OPTIONS, readFilter, REV, sayWhyNoEvents } from '../command/shared-options.ts'

export const eventList: Command = {
  name: 'list',
  isLong: true,
  describe: 'List the events, oldest first (exit 1 when files could not be read)',
  examples: [['ledger-git event list --agent toast --since 7d', 'events of one agent, one week']],
  options: { ...FILTER_OPTIONS, rev: REV },
  run: async (input) => {
    const { repository, settings } = await input.context.open()
    const set = await readLedgerEvents(repository, settings, input.text('rev'))
    const retracted = retractedFiles(set.events)
    const events = filterEvents(set.events, readFilter(input))
    const problems = openProblems(set).map((one) => ({ file: one.file, problem: problemText(one) }))
    const listed = events.map((event) => ({
      ...eventHead(event),
      reason: event.reason,
      retracted: retracted.has(event.file),
    }))
    const lines = events.map((event) => {
      const mark = retracted.has(event.file) ? '  (retracted)' : ''
      return `${eventLine(event, input)}  ${safeText(event.file)}${mark}`
    })
    if (events.length === 0) sayWhyNoEvents(set, input)
    input.print({ events: listed, problems }, lines)
    for (const { file, problem } of problems) input.say(`${safeText(file)}: ${safeText(problem)}`)
    return problems.length === 0 ? 0 : 1
  },
}

export const eventShow: Command = {
  name: 'show',
  isLong: true,
  words: { '<file>': 'file name in events/, or its beginning' },
  describe: 'Show what one event says',
  examples: [
    ['ledger-git event show 2026-01-10T13-03-52.417Z_toast_9f2c41ab.md', 'by its file name'],
  ],
  options: { rev: REV },
  run: async (input) => {
    const { repository, settings } = await input.context.open()
    const set = await readLedgerEvents(repository, settings, input.text('rev'))
    const unreadable = set.problems.flatMap(({ code, file }) =>
      code === 'unreadable' ? [file] : [],
    )
    // Reading such a file throws the reason why it cannot be shown.
    for (const file of filesMeant(input.word('file'), unreadable))
      await readEventFile(repository, settings, file)
    const event = eventMeant(input.word('file'), set.events)
    const note = await noteOfEvent(repository, settings, input.text('rev'), event)
    const facts = eventFacts(event).map((fact) => `  ${fact}`)
    const noted = note === undefined ? [] : ['  note:', ...noteLines(note.text)]
    const json = { ...eventJson(event), note: note?.text, source: note?.source }
    const head = `${eventLine(event, input)}  ${input.paint.dim(formatInstant(event.ts))}`
    input.print(json, [head, ...facts, ...noted])
  },
}

function eventJson(event: LedgerEvent) {
  const checkpoints = event.checkpoints.map(({ updated, ...checkpoint }) => ({
    ...checkpoint,
    updated: updated && formatInstant(updated),
  }))
  return {
    ...eventHead(event),
    ...members(event, 'id', 'reason', 'session', 'commit', 'title', 'goal', 'test', 'now', 'next'),
    ...members(
      event,
      'thisSession',
      'openQuestions',
      'resolvedQuestions',
      'retracts',
      'supersedes',
    ),
    decisions: Object.fromEntries(event.decisions.map(({ key, value }) => [key, value])),
    checkpoints,
  }
}
