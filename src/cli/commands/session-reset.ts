import { resetSession } from '../../app/session/reset-session.ts'
import { findSession } from '../../app/session/view-sessions.ts'
import type { Command } from '../command.ts'
import { flag, text } from '../command.ts'
import { printJson } from '../context.ts'

export const sessionReset: Command = {
  name: 'reset',
  words: '<id>',
  writes: true,
  describe: 'Remove one session: its state and its shadow data; checkpoints and events stay',
  examples: [
    ['ledger-git session reset 0379', 'a session that is over'],
    ['ledger-git session reset 0379 --force', 'one whose agent crashed'],
  ],
  options: (yargs) =>
    yargs
      .positional('id', { type: 'string', describe: 'id of a session, or its beginning' })
      .option('force', {
        type: 'boolean',
        describe: 'also with an open turn, commits that wait for a checkpoint, or no state left',
      }),
  run: async (args, context) => {
    const work = await context.sessions()
    const found = await findSession(work, text(args, 'id') ?? '')
    const { id, state } = await resetSession(work, found, { isForced: flag(args, 'force') })
    const waiting = (state?.awaiting ?? []).map(({ commit }) => commit)
    if (flag(args, 'json')) {
      printJson(context, {
        session: id,
        phase: state?.phase ?? null,
        files: state?.filesTouched ?? [],
        without_checkpoint: waiting,
      })
    } else context.stdout(`session ${id}: removed\n`)
    if (waiting.length > 0) {
      context.stderr(`ledger-git: without checkpoint: ${waiting.join(', ')}\n`)
    }
    return 0
  },
}
