/** Sessions of the repository, with what is known about their contexts. */

import { percentOf } from '../../core/context/level.ts'
import type { ContextRecord } from '../../core/context/record.ts'
import { standing } from '../../core/context/record.ts'
import type { FleetContext as ContextOfSession } from '../../core/fleet/fleet.ts'
import type { SessionFacts } from '../../core/fleet/fleet-facts.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { seeSessions } from '../session/view-sessions.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import type { Errors } from './collect-errors.ts'
import type { FleetContext } from './fleet-context.ts'

export function fleetSessions(
  context: Pick<FleetContext, 'sessions' | 'processes' | 'contexts' | 'clock' | 'settings'>,
  errors: Errors,
): SessionFacts[] {
  const { sessions, damaged } = seeSessions(context, { withFinished: true, mends: false })
  const records = new Map(context.contexts.list().map((record) => [record.session, record]))
  for (const { file, reason, keptAs } of damaged) {
    const subject = file.slice(file.lastIndexOf('/') + 1)
    const kept = keptAs === undefined ? '' : '; a copy is beside it'
    // `session list` sets a damaged file aside; the copy is for a person to inspect and remove.
    const command = keptAs === undefined ? 'git ledger session list' : `rm ${shellWord(keptAs)}`
    errors.found.push({ part: 'worktrees', subject, message: `${reason}${kept}`, command })
  }
  return sessions.map(({ state, ...seen }) => {
    const record = records.get(state.id)
    return { state, ...seen, context: record && contextOf(record, context.settings) }
  })
}

/** Percent of the window, as the agent shows it; undefined if the capacity is unknown. */
function contextOf(
  record: ContextRecord,
  { contextLevels }: Settings,
): ContextOfSession | undefined {
  const now = standing(record, contextLevels)
  const whole = now?.window ?? now?.limit
  if (now === undefined || whole === undefined || now.level === 'unknown') return undefined
  return { percent: percentOf(now.tokens, whole), level: now.level }
}
