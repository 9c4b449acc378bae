/** What is known of the issues of a checkpoint: asked of the outbox, never of the network. */

import type { ReadHandoff } from '../../core/context/handoff-document.ts'
import type { KnownIssues } from '../../core/tracker/known-issues.ts'
import type { SessionContext } from '../shadow/session-context.ts'

export async function knownIssues(
  context: Pick<SessionContext, 'tracker'>,
  { issues }: Pick<ReadHandoff, 'issues'>,
): Promise<KnownIssues> {
  if (issues.length === 0) return new Map()
  const known = (await context.tracker()).outbox.readIssues()
  return new Map([...known].filter(([key]) => issues.includes(key)))
}
