import { readLedgerEvents } from '../../app/ledger/view-ledger.ts'
import { eventMeant } from '../../core/event/file-word.ts'
import { formatInstant } from '../../core/event/instant.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { eventFacts, eventLine } from '../format.ts'

export const eventShow: Command = {
  name: 'show',
  words: '<file>',
  describe: 'Show what one event says',
  examples: [
    ['ledger-git event show 2026-01-10T13-03-52.417Z_toast_9f2c41ab.md', 'by its file name'],
  ],
  options: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'file name in events/, or its beginning' })
      .option('rev', { type: 'string', describe: 'the events of this commit' }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const set = await readLedgerEvents(repository, settings, text(args, 'rev'))
    const event = eventMeant(text(args, 'file') ?? '', set.events)
    if (flag(args, 'json')) {
      const { file, id, ts, ...rest } = event
      const checkpoints = rest.checkpoints.map(({ updated, ...checkpoint }) => ({
        ...checkpoint,
        updated: updated === undefined ? null : formatInstant(updated),
      }))
      printJson(context, {
        file,
        id,
        ts: formatInstant(ts),
        agent: rest.agent,
        branch: rest.branch ?? null,
        type: rest.type ?? null,
        reason: rest.reason ?? null,
        session: rest.session ?? null,
        commit: rest.commit ?? null,
        stream: rest.stream ?? null,
        title: rest.title ?? null,
        goal: rest.goal ?? null,
        test: rest.test ?? null,
        now: rest.now ?? null,
        this_session: rest.thisSession,
        next: rest.next ?? null,
        decisions: Object.fromEntries(rest.decisions.map(({ key, value }) => [key, value])),
        checkpoints,
        open_questions: rest.openQuestions,
        resolved_questions: rest.resolvedQuestions,
        retracts: rest.retracts,
      })
    } else {
      const lines = [eventLine(event), ...eventFacts(event).map((fact) => `  ${fact}`)]
      context.stdout(`${lines.join('\n')}\n`)
    }
    return 0
  },
}
