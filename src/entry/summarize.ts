/**
 * `ledger-git summarize SESSION`: started at the end of a session, in the background. Asks the user's summarizer,
 * and writes the session's event.
 */

import { finishSummary } from '../app/report/summaries.ts'
import { isSessionId } from '../core/session/session-state.ts'
import { inSession } from '../compose/in-session.ts'
import { printUsage } from './run-process.ts'

export async function runSummarize(words: readonly string[]): Promise<number> {
  const [session = ''] = words
  if (!isSessionId(session)) {
    return printUsage(words, 'summarize SESSION (run by the end of a session)')
  }
  if (process.env['LEDGER_GIT'] === '0') return 0
  const host = { cwd: process.cwd(), env: process.env }
  const what = `session ${session}: summarize`
  await inSession(what, host, (context) => finishSummary(context, session))
  return 0
}
