/** The status line of a session: the one that would be there without ours, and ours below it. */

import { statusLineBeside } from '../../core/agents/status-line-setting.ts'
import { newRecord, observe } from '../../core/context/record.ts'
import { readStatusInput } from '../../core/context/status-input.ts'
import { renderStatusLine, statusLineOf } from '../../core/context/status-line.ts'
import { instantToMillis, parseInstant } from '../../core/event/instant.ts'
import { limitOf } from '../../core/context/limit.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText } from '../shadow/session-context.ts'

/** `input`: as the agent gives it. First it is kept, then shown: the agent ends a line that takes long. */
export async function showStatusLine(context: SessionContext, input: string): Promise<string[]> {
  const { contexts, clock } = context
  const status = readStatusInput(input)
  if (status === undefined) return []
  const { session, window, tokens, percent } = status
  if (contexts.isFollowed()) contexts.keepStatusInput(session, input)
  const settings = await readSettings(context.repository)
  const about = { session, agent: 'claude', startedAt: nowText(context) }
  const record = contexts.read(session) ?? newRecord(about)
  const limit = record.limit ?? limitOf('claude', { window, set: settings.contextLimit })
  const known = { ...record, window: window ?? record.window, limit }
  const sample = { at: clock.now(), tokens: tokens ?? 0, source: 'status_line' } as const
  const now = tokens === undefined ? known : observe(known, sample, settings.contextLevels)
  const localTime = (iso: string) => {
    const instant = parseInstant(iso)?.instant
    return instant === undefined ? '' : context.localTime(instantToMillis(instant))
  }
  const line = statusLineOf(now, { percent }, settings.contextLevels, localTime)
  const beside = statusLineBeside(contexts.agentSettings())
  const others =
    beside === undefined ? undefined : await contexts.askStatusLine(session, beside, input)
  return [...linesOf(others), renderStatusLine(line)]
}

/** As its program printed it: colours belong to it. */
function linesOf(text: string | undefined): string[] {
  const trimmed = (text ?? '').replace(/\n+$/, '')
  return trimmed === '' ? [] : trimmed.split('\n')
}
