/** The status line of a session: the line that would be shown without ours, with ours below it. */

import { statusLineBeside } from '../../core/agents/status-line-setting.ts'
import { limitOf, readCompactionSettings } from '../../core/context/limit.ts'
import { newRecord, observe } from '../../core/context/record.ts'
import type { StatusInput } from '../../core/context/status-input.ts'
import { readStatusInput } from '../../core/context/status-input.ts'
import type { StatusLine } from '../../core/context/status-line.ts'
import { renderStatusLine, statusLineOf } from '../../core/context/status-line.ts'
import { millisOf } from '../../core/event/instant.ts'
import { phasesOf } from '../../core/handoff/phases.ts'
import { parseJson } from '../../core/text/json-values.ts'
import { handoffOn } from '../handoff/read-handoffs.ts'
import { readSettings } from '../ledger/read-settings.ts'
import type { SessionContext } from '../shadow/session-context.ts'
import { nowText, quietly } from '../shadow/session-context.ts'
import { issueHere } from '../tracker/tracked-issue.ts'

/**
 * `input` is as the agent gives it; returns undefined if it is not valid status line input. The input is kept before
 * anything is shown, because the agent kills a status line that takes too long. `folder` is where the agent starts
 * status lines, which may be outside the session's repository.
 */
export async function showStatusLine(
  context: SessionContext,
  input: string,
  folder = context.folder,
) {
  const { contexts, env } = context
  const status = readStatusInput(input)
  if (status === undefined) return undefined
  const { session } = status
  const isOn = env['LEDGER_GIT'] !== '0'
  // The launcher has already kept the input, if it arrived in one piece.
  if (isOn && contexts.isFollowed() && contexts.statusInput(session)?.text !== input) {
    contexts.keepStatusInput(session, input)
  }
  const beside = statusLineBeside(contexts.agentSettings())
  const others =
    beside === undefined
      ? undefined
      : contexts.askStatusLine(session, { command: beside, folder }, input)
  // Nothing of ours if ledger-git is switched off.
  const line = isOn ? await lineFor(context, status) : undefined
  const own = line === undefined ? [] : [renderStatusLine(line)]
  return { session, line, lines: [...linesOf(await others), ...own] }
}

async function lineFor(context: SessionContext, status: StatusInput): Promise<StatusLine> {
  const { contexts, clock, env } = context
  const { session, window, tokens, percent } = status
  const settings = await readSettings(context.repository)
  const about = { session, agent: 'claude', startedAt: nowText(context) }
  const record = contexts.read(session) ?? newRecord(about)
  const compaction = readCompactionSettings(env, contexts.agentSettings().map(parseJson))
  const known = window ?? record.window
  const limit = limitOf('claude', { window: known, set: settings.contextLimit, compaction })
  const before = { ...record, window: known, limit: limit ?? record.limit }
  const sample = { at: clock.now(), tokens: tokens ?? 0, source: 'status_line' } as const
  const now = tokens === undefined ? before : observe(before, sample, settings.contextLevels)
  const localTime = (iso: string) => {
    const millis = millisOf(iso)
    return millis === undefined ? '' : context.localTime(millis)
  }
  const [phase, issue] = await Promise.all([
    quietly(context, 'status line: no phase', () => phaseHere(context, settings)),
    quietly(context, 'status line: no issue', () => issueHere(context)),
  ])
  return { ...statusLineOf(now, { percent }, settings.contextLevels, localTime), phase, issue }
}

/** The phase in progress in the branch's handoff. */
async function phaseHere(
  { repository }: SessionContext,
  { root }: Awaited<ReturnType<typeof readSettings>>,
): Promise<string | undefined> {
  const { branch } = await repository.history.head()
  const found = await handoffOn(repository, root, branch)
  const phases = found === undefined ? [] : phasesOf(found.handoff)
  return phases.find(({ status }) => status === 'in_progress')?.label.text
}

/** The lines as the program printed them, including colours. */
function linesOf(text: string | undefined): string[] {
  const trimmed = (text ?? '').replace(/\n+$/, '')
  return trimmed === '' ? [] : trimmed.split('\n')
}
