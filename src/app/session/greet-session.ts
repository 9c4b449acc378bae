/** What a session gets at its start: the ledger of the worktree, for the agent and for the person. */

import type { AgentSignal } from '../../core/session/agent-signal.ts'
import { contextText, startBlock } from '../../core/session/context-text.ts'
import { parseInstant } from '../../core/ledger/instant.ts'
import { readSettings } from '../read-settings.ts'
import { previewWorktree } from '../synthesize.ts'
import type { SignalAnswer, WorkContext } from './work-context.ts'
import { worktreeOf } from './work-context.ts'

export async function greetSession(
  context: WorkContext,
  signal: AgentSignal,
): Promise<SignalAnswer> {
  const { repository, sessions } = context
  const { root } = await readSettings(repository)
  const { ledger, set } = await previewWorktree(repository, root, { write: false })
  const { branch } = await repository.history.head()
  const worktree = worktreeOf(context)
  const ends = sessions
    .list()
    .sessions.filter((one) => one.id !== signal.session && one.worktree.name === worktree.name)
    .flatMap(({ endedAt }) => parseInstant(endedAt ?? '')?.instant ?? [])
  const since = ends.reduce<(typeof ends)[number] | undefined>(
    (a, b) => (a === undefined || b > a ? b : a),
    undefined,
  )
  return {
    context: contextText(ledger, { branch }),
    message: startBlock(ledger, set.events, since),
  }
}
