/** The handoffs of a session: their state when it started, and what it changed in them. */

import type { LedgerEvent } from '../../core/event/event.ts'
import type { NamedHandoff } from '../../core/handoff/choose.ts'
import { handoffOfBranch } from '../../core/handoff/choose.ts'
import type { HandoffChange } from '../../core/handoff/change.ts'
import { handoffChange } from '../../core/handoff/change.ts'
import { readHandoff } from '../../core/handoff/handoff.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { withHandoffs } from '../../core/session/change-session.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { readHandoffs } from '../handoff/read-handoffs.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { withoutSecrets } from '../secrets/find-secrets.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { isHere, quietly } from '../shadow/session-context.ts'

/** Stores the present handoffs without secrets; one git call, or none if there is no handoff. */
export async function lookAtHandoffs(
  context: SessionContext,
  state: SessionState,
): Promise<SessionState> {
  const look = async () => {
    const { repository, objects } = context
    const { root } = await readSettings(repository)
    const files = await readHandoffs(repository, root)
    if (files.length === 0) return withHandoffs(state, [])
    const texts = files.map(({ text }) => text)
    const blobs = objects.blobs(await withoutSecrets(texts, context.secrets))
    objects.flush()
    return withHandoffs(
      state,
      files.map(({ path }, i) => ({ path, blob: blobs[i] })),
    )
  }
  return (await quietly(context, `session ${state.id}: handoffs not read`, look)) ?? state
}

export interface ToldChange {
  /** The handoff's name. */
  readonly stream: string
  readonly change: HandoffChange
}

/** What the session, under this name, changed in handoffs; its branch's handoff comes first. */
export async function handoffChanges(
  context: SessionContext,
  state: SessionState,
  { settings, agent }: { readonly settings: Settings; readonly agent: string },
): Promise<ToldChange[]> {
  const changed = new Map(
    state.handoffs.flatMap(({ path, blob, isChanged }) => (isChanged ? [[path, blob]] : [])),
  )
  if (changed.size === 0 || !isHere(context, state)) return []
  const { repository } = context
  const files = await readHandoffs(repository, settings.root)
  const { readStreams } = await import('../handoff/stream-events.ts')
  const streams = await readStreams({ repository, settings })
  // An agent's newest list on its branch replaces its previous one, so items that are still open are repeated.
  const isOfOthers = (event: LedgerEvent) =>
    event.agent !== agent || (event.branch ?? branch) !== branch
  const { branch } = await repository.history.head()
  const found: (ToldChange & NamedHandoff)[] = []
  for (const { name, path, text: said } of files.filter((file) => changed.has(file.path))) {
    const blob = changed.get(path)
    const before = blob === undefined ? undefined : await repository.objects.read(blob)
    // Git may have pruned a blob that nothing named for weeks; then it is unknown what changed.
    if (blob !== undefined && before === undefined) continue
    const text = await withoutSecrets(said, context.secrets)
    const first = before && Buffer.from(before.content).toString('utf8')
    const change = handoffChange(first, text, streams(name).filter(isOfOthers))
    if (change !== undefined) found.push({ stream: name, change, name, handoff: readHandoff(text) })
  }
  const first = handoffOfBranch(found, branch) ?? found[0]
  return found.sort((a, b) => Number(b === first) - Number(a === first))
}
