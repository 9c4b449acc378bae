/** Metrics of context checkpoints, from this repository's own sessions and handoff documents. */

import type { Compaction, ContextEntry } from '../../core/agents/context-records.ts'
import { readDocument } from '../../core/document/document.ts'
import { fieldsOf } from '../../core/document/fields.ts'
import type { Checkpoints, MeasuredSession } from '../../core/estimate/metrics.ts'
import { metricsOf } from '../../core/estimate/metrics.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { readSettings } from '../ledger/read-settings.ts'
import { learntRates, newestSessions, recordsOf } from './learnt-rates.ts'
import type { SessionContext } from '../shadow/session-context.ts'

const MAX_SESSIONS = 50
/** How many bytes at the end of each transcript are read. */
const MAX_BYTES = 16 * 1024 * 1024

export async function measureSessions(context: SessionContext) {
  const measured = newestSessions(context)
    .slice(0, MAX_SESSIONS)
    .flatMap((state) => {
      const records = recordsOf(context, state, MAX_BYTES)
      return records.length === 0 ? [] : [measure(state, records)]
    })
    .toReversed()
  const metrics = metricsOf(measured, await countCheckpoints(context))
  // `sessions` counts only those whose transcript could be read.
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

/** If the transcript does not say what was left after a compaction, the context of the next response is used. */
function lostIn({ before, after }: Compaction, later: readonly ContextEntry[]): number {
  const next = later.find((record) => record.kind === 'response')
  const left = after ?? next?.context
  return before === undefined || left === undefined ? 0 : Math.max(0, before - left)
}

interface Left {
  readonly name: string
  readonly trigger: string
  readonly session: string | undefined
  readonly created: string
}

/** Handoff documents that name their trigger, oldest first. */
async function leftDocuments(context: SessionContext): Promise<Left[]> {
  const { handoffs } = await readSettings(context.repository)
  const found: Left[] = []
  for (const name of context.personal.list(handoffs).filter((one) => one.endsWith('.md'))) {
    const bytes = await context.repository.worktree.read(`${handoffs}/${name}`)
    const document = readDocument(Buffer.from(bytes ?? []).toString('utf8'))
    const fields = new Map(fieldsOf(document).map(({ key, value }) => [key, value]))
    const trigger = fields.get('checkpoint_trigger')
    const [writer, created = ''] = [fields.get('session'), fields.get('created')]
    if (trigger !== undefined) found.push({ name, trigger, session: writer, created })
  }
  return found.toSorted((a, b) => (a.created < b.created ? -1 : 1))
}

/**
 * Counts, for ended sessions, the last document, from which somebody may continue, and earlier ones that were
 * shown.
 */
async function countCheckpoints(context: SessionContext): Promise<Checkpoints> {
  const { contexts, sessions } = context
  const all = await leftDocuments(context)
  const records = contexts.list()
  const shown = new Set(records.flatMap((record) => record.shown))
  const isAtWork = (id: string) => (sessions.read(id)?.phase ?? 'ended') !== 'ended'
  const known = new Set(records.map((record) => record.session).filter((id) => !isAtWork(id)))
  const last = new Map(all.map(({ session, name }) => [session, name]))
  const left = all.filter(
    ({ session = '', name }) =>
      known.has(session) && (shown.has(name) || last.get(session) === name),
  )
  return {
    all: all.length,
    typed: all.filter(({ trigger }) => /^manual\b/i.test(trigger)).length,
    left: left.length,
    wentOn: left.filter(({ name }) => shown.has(name)).length,
  }
}
