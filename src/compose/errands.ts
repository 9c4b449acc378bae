/** What git's hooks and agents' hooks leave to a process of its own: `ledger-git hook --reap`. */

import { reapSessions } from '../app/session/reap-sessions.ts'
import type { Errand, SessionContext } from '../app/shadow/session-context.ts'
import { ERRANDS } from '../app/shadow/session-context.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'

const ACTIONS: Readonly<Record<Errand, (context: SessionContext) => Promise<void>>> = {
  // Whoever commits or pushes just now is not to find another HEAD.
  '--reap': (context) => reapSessions(context, { isPending: true }),
}

/** Nobody reads what it says: what goes wrong is for the log. */
export async function runErrand(
  [word]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const errand = ERRANDS.find((known) => known === word)
  if (errand === undefined) return 2
  if (env['LEDGER_GIT'] === '0') return 0
  const context = await openSessionContext(cwd, env)
  try {
    await ACTIONS[errand](context)
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).message
    context.log(`errand ${errand}: ${String(reason)}`)
  } finally {
    context.close()
  }
  return 0
}
