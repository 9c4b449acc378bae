import { explainKey } from '../../app/view-ledger.ts'
import { LedgerError } from '../../core/errors.ts'
import { formatInstant } from '../../core/ledger/instant.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'
import { eventLine, safeText } from '../format.ts'

export const why: Command = {
  name: 'why',
  words: '<key>',
  describe: 'Which event and commit set a decision, or asked or resolved a question',
  examples: [
    ['ledger-git why db', 'the history of the decision "db"'],
    ['ledger-git why "rate limiter"', 'questions with these words'],
  ],
  options: (yargs) =>
    yargs.positional('key', {
      type: 'string',
      describe: "a decision's key, or words of a question",
    }),
  run: async (args, context) => {
    const { repository, settings } = await context.open()
    const key = text(args, 'key') ?? ''
    const reasons = await explainKey(repository, settings, key)
    if (reasons.length === 0) {
      throw new LedgerError(
        'EVENT_NOT_FOUND',
        `no event decides or asks ${safeText(key)}`,
        'ledger-git show',
      )
    }
    if (flag(args, 'json')) {
      printJson(
        context,
        reasons.map(({ event, what, commit }) => ({
          what,
          file: event.file,
          ts: formatInstant(event.ts),
          agent: event.agent,
          branch: event.branch ?? null,
          commit: commit === undefined ? null : commit.oid,
        })),
      )
      return 0
    }
    for (const { event, what, commit } of reasons) {
      const where =
        commit === undefined ? 'pending' : `${commit.oid.slice(0, 9)} ${safeText(commit.subject)}`
      context.stdout(
        `${eventLine(event)}\n    ${safeText(what)}\n    ${safeText(event.file)}\n    ${where}\n`,
      )
    }
    return 0
  },
}
