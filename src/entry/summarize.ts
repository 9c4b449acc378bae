/**
 * `ledger-git summarize SESSION`: started by the end of a session, for nobody to wait for. Asks the user's
 * summarizer, and writes the session's event.
 */

import { finishSummary } from '../app/report/summaries.ts'
import { isSessionId } from '../core/session/session-state.ts'
import { inSession } from '../compose/in-session.ts'

export async function runSummarize([session = '']: readonly string[]): Promise<number> {
  if (!isSessionId(session)) {
    process.stderr.write('usage: ledger-git summarize SESSION (run by the end of a session)\n')
    return 2
  }
  if (process.env['LEDGER_GIT'] === '0') return 0
  const host = { cwd: process.cwd(), env: process.env }
  const what = `session ${session}: summarize`
  await inSession(what, host, (context) => finishSummary(context, session))
  return 0
}
