/** Stops a push of work in progress once: such a commit is meant to be continued from, then undone. */

import { wipSession } from '../../core/context/wip.ts'
import { stripControlChars } from '../../core/text/strip-control-chars.ts'
import { messageOf } from '../checkpoint/read-commit.ts'
import type { PushedTip } from '../hooks/stale-tips.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** The message about the tips that stop the push; undefined if none does. A second push is not stopped. */
export async function holdWip(
  { repository, contexts }: Pick<SessionContext, 'repository' | 'contexts'>,
  tips: readonly PushedTip[],
): Promise<string | undefined> {
  const fresh = tips.filter(({ oid }) => !contexts.wasHeld(oid))
  const held: PushedTip[] = []
  for (const tip of fresh) {
    if (wipSession(await messageOf(repository, tip.oid)) !== undefined) held.push(tip)
  }
  if (held.length === 0) return undefined
  for (const { oid } of held) contexts.noteHeld(oid)
  const said = held.map(({ oid, ref }) => `${nameOf(ref)} (${oid.slice(0, 9)})`)
  return (
    `ledger-git: push stopped, once: work in progress is the tip of ${said.join(', ')}\n` +
    '  next: ledger-git context undo-wip undoes it; push again to share it as it is'
  )
}

function nameOf(ref: string): string {
  return stripControlChars(ref.slice('refs/heads/'.length))
}
