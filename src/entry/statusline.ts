/**
 * `ledger-git statusline`: what Claude Code starts for its status line, with its JSON on stdin. Whatever goes wrong,
 * what can be shown is shown, and the exit status is 0 unless standard output cannot be written. Claude Code abandons
 * a run as soon as it starts a newer one.
 */

import { showStatusLine } from '../app/context/show-status-line.ts'
import { withSession } from '../compose/in-session.ts'
import { openForSession } from '../compose/session-place.ts'
import { readStatusInput } from '../core/context/status-input.ts'
import { readStdin } from '../io/terminal/stdin.ts'
import { watchTerminal } from './run-process.ts'

export async function runStatusLine(): Promise<number> {
  watchTerminal()
  const input = await readStdin()
  const show = async () => {
    const status = readStatusInput(input)
    const context = status && (await openForSession('claude', status))
    if (context === undefined) return undefined
    const folder = process.cwd()
    return withSession('status line', context, (open) => showStatusLine(open, input, folder))
  }
  // Outside of a repository, and in a folder that was removed, there is no log to write to either.
  const shown = await show().catch(() => undefined)
  process.stdout.write((shown?.lines ?? []).map((line) => `${line}\n`).join(''))
  return 0
}
