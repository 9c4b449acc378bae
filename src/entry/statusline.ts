/**
 * `ledger-git statusline`: what Claude Code starts for its status line, with its JSON on stdin. Whatever goes
 * wrong, what cannot be shown is not, and the status is 0 unless standard output is full. Claude Code gives up one
 * that it has a newer one for.
 */

import { showStatusLine } from '../app/context/show-status-line.ts'
import { inSession } from '../compose/in-session.ts'
import { readStdin } from '../io/terminal/stdin.ts'
import { watchTerminal } from './run-process.ts'

export async function runStatusLine(): Promise<number> {
  watchTerminal()
  const input = await readStdin()
  const show = async () => {
    const host = { cwd: process.cwd(), env: process.env }
    return inSession('status line', host, (context) => showStatusLine(context, input))
  }
  // Outside of a repository, and in a folder that was removed, there is no log either.
  const shown = await show().catch(() => undefined)
  process.stdout.write((shown?.lines ?? []).map((line) => `${line}\n`).join(''))
  return 0
}
