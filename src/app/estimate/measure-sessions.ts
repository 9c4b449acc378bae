/** The measures of context checkpoints, from this repository's own sessions and handoff documents. */

import type { Compaction, ContextEntry } from '../../core/agents/context-records.ts'
import { readDocument } from '../../core/document/document.ts'
import { fieldsOf } from '../../core/document/fields.ts'
import type { Checkpoints, MeasuredSession, Metric } from '../../core/estimate/metrics.ts'
import { metricsOf } from '../../core/estimate/metrics.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { EstimateContext } from './estimate-context.ts'
import type { LearntRates } from './learnt-rates.ts'
import { learntRates, newestSessions, recordsOf } from './learnt-rates.ts'

export interface Measured {
  /** Sessions whose transcript could be read. */
  readonly sessions: number
  readonly metrics: readonly Metric[]
  readonly rates: LearntRates
}

const MAX_SESSIONS = 50
/** The tail of each transcript. */
const MAX_BYTES = 16 * 1024 * 1024

export async function measureSessions(context: EstimateContext): Promise<Measured> {
  const measured = newestSessions(context)
    .slice(0, MAX_SESSIONS)
    .flatMap((state) => {
      const records = recordsOf(context, state, MAX_BYTES)
      return records.length === 0 ? [] : [measure(state, records)]
    })
    .toReversed()
  const metrics = metricsOf(measured, await countCheckpoints(context))
  return { sessions: measured.length, metrics, rates: learntRates(context) }
}

function measure({ todos }: SessionState, records: readonly ContextEntry[]): MeasuredSession {
  const auto = records.flatMap((record, i) =>
    record.kind === 'compaction' && record.trigger === 'auto' ? [{ record, i }] : [],
  )
  return {
    autoCompactions: auto.length,
    tokensLost: auto.reduce((sum, { record, i }) => sum + lostIn(record, records.slice(i + 1)), 0),
    tasksDone: todos.filter(({ status }) => status === 'completed').length,
  }
}

/** Where the transcript does not say what was left: what the next response was given. */
function lostIn({ before, after }: Compaction, later: readonly ContextEntry[]): number {
  const next = later.find((record) => record.kind === 'response')
  const left = after ?? next?.context
  return before === undefined || left === undefined ? 0 : Math.max(0, before - left)
}

/** Handoff documents that name what they were written for. */
async function countCheckpoints({ session }: EstimateContext): Promise<Checkpoints> {
  const { handoffs } = await readSettings(session.repository)
  const names = session.personal.list(handoffs).filter((name) => name.endsWith('.md'))
  let [all, typed] = [0, 0]
  for (const name of names) {
    const bytes = await session.repository.worktree.read(`${handoffs}/${name}`)
    const fields = fieldsOf(readDocument(Buffer.from(bytes ?? []).toString('utf8')))
    const trigger = fields.find(({ key }) => key === 'checkpoint_trigger')?.value
    if (trigger === undefined) continue
    all++
    if (/^manual\b/i.test(trigger)) typed++
  }
  return { all, typed }
}
