/** What git's hooks and agents' hooks leave to a separate process, such as `ledger-git hook --reap`. */

import { pushCheckpoints } from '../app/checkpoint/push-checkpoints.ts'
import { readSettings } from '../app/ledger/read-settings.ts'
import { reapSessions } from '../app/session/reap-sessions.ts'
import type { Errand, SessionContext } from '../app/shadow/session-context.ts'
import { ERRANDS } from '../app/shadow/session-context.ts'
import { inSession } from './in-session.ts'

type Action = (context: SessionContext, args: readonly string[]) => Promise<unknown>

const ACTIONS: Readonly<Record<Errand, Action>> = {
  // Events stay pending, so that nobody who is just committing or pushing finds that HEAD has moved.
  '--reap': (context) => reapSessions(context, { isPending: true }),
  '--push': async (context, [remote = '', asked]) => {
    const settings = await readSettings(context.repository)
    const said = context.env['LEDGER_GIT_PUSH_CHECKPOINTS']
    const wish = asked === '1' && said !== '0' ? '1' : said
    return pushCheckpoints(context, { remote, refs: [], settings, wish })
  },
}

export async function runErrand(
  [word, ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const errand = ERRANDS.find((known) => known === word)
  if (errand === undefined) return 2
  if (env['LEDGER_GIT'] === '0') return 0
  await inSession(`errand ${errand}`, { cwd, env }, (context) => ACTIONS[errand](context, args))
  return 0
}
