/**
 * `ledger-git statusline`: what Claude Code starts for its status line, with its JSON on stdin. Whatever goes
 * wrong, the status is 0, and what cannot be shown is not.
 */

import { showStatusLine } from '../app/context/show-status-line.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'
import { readStdin } from '../io/terminal/stdin.ts'

export async function runStatusLine(): Promise<number> {
  const input = await readStdin()
  let context: Awaited<ReturnType<typeof openSessionContext>> | undefined
  try {
    context = await openSessionContext(process.cwd(), process.env)
    const shown = await showStatusLine(context, input)
    process.stdout.write((shown?.lines ?? []).map((line) => `${line}\n`).join(''))
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).name
    context?.log(`status line: ${String(reason)}`)
  } finally {
    context?.close()
  }
  return 0
}
