/** `statusline`: the status line of a Claude Code session, for a person to try out. */

import { showStatusLine } from '../../app/context/show-status-line.ts'
import { usage } from '../../core/errors/errors.ts'
import type { Command } from '../command/command.ts'

/** For typed calls only: the agent's own calls are dispatched earlier (`entry/statusline.ts`). */
export const statusline: Command = {
  name: 'statusline',
  describe: 'Print the status line of a Claude Code session, from its JSON on standard input',
  examples: [
    ['ledger-git statusline < status.json', 'as Claude Code shows it'],
    ['ledger-git install --agent claude --context', 'has Claude Code run it'],
  ],
  run: async (input) => {
    if (input.context.canAsk) {
      throw usage(
        'statusline reads the JSON of an agent from standard input, but standard input is a terminal',
        'ledger-git context status',
      )
    }
    const shown = await showStatusLine(await input.context.sessions(), await input.context.stdin())
    if (shown === undefined) {
      throw usage(
        'standard input has no JSON with a session_id, which Claude Code passes to its status line',
        'ledger-git context status',
      )
    }
    const { session, line, lines } = shown
    const { percent, level = 'unknown', issue, phase, checkpoint } = line ?? {}
    input.print({ session, percent, level, issue, phase, checkpoint, lines }, lines)
  },
}
