/**
 * `ledger-git summarize SESSION`: started by the end of a session, for nobody to wait for. Asks the user's
 * summarizer, and writes the session's event.
 */

import { finishSummary } from '../app/report/summaries.ts'
import { isSessionId } from '../core/session/session-state.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'

export async function runSummarize([session = '']: readonly string[]): Promise<number> {
  if (!isSessionId(session)) {
    process.stderr.write('usage: ledger-git summarize SESSION (run by the end of a session)\n')
    return 2
  }
  if (process.env['LEDGER_GIT'] === '0') return 0
  const context = await openSessionContext(process.cwd(), process.env)
  try {
    await finishSummary(context, session)
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).name
    context.log(`session ${session}: summarize: ${String(reason)}`)
  } finally {
    context.close()
  }
  return 0
}
