/**
 * Reports in a turn that came from somebody other than the agent, and that the agent did not sum up itself:
 * those of its subagents and background tasks, and the summary of a compaction. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { plainLine, shorten } from '../text/markdown-to-text.ts'
import { changedFiles } from '../turn/changed-files.ts'
import { SUMMARY_LIMITS, unique } from '../message/items.ts'
import { quoteOf } from '../message/quote.ts'
import { stateIn } from '../message/summary-sections.ts'
import { isSubstantive } from '../turn/turns.ts'

/** Without those of the turn if it ended with the agent's own words. */
export function reportLines(entries: readonly TranscriptEntry[]): string[] {
  return [...turnReports(entries), ...endedLines(entries)]
}

/** The newest background tasks that ended after the agent's last words, which may say that they are running. */
function endedLines(entries: readonly TranscriptEntry[]): string[] {
  const lines = entries.flatMap((entry) => {
    if (entry.kind !== 'ended') return []
    const line = `${ENDED}${withEnd(plainLine(entry.text), SUMMARY_LIMITS.item - ENDED.length)}`
    const said = quoteOf(withoutLead(entry.report), SUMMARY_LIMITS.report)
    return said === undefined ? line : plainLine(`${line}: ${said}`)
  })
  return unique(lines).slice(-MAX_REPORTS)
}

const ENDED = "Since the agent's last words: "

/** A long name stands before what came of the task. */
function withEnd(text: string, max: number): string {
  if (text.length <= max) return text
  return `${shorten(text, max - OUTCOME)}${text.slice(-OUTCOME).replace(/^[\udc00-\udfff]/, '')}`
}

/** UTF-16 units of `completed (exit code 0)` and the like. */
const OUTCOME = 40

function turnReports(entries: readonly TranscriptEntry[]): string[] {
  const own = entries.slice(entries.findLastIndex(({ kind }) => kind === 'prompt') + 1)
  if (own.findLast(isSubstantive)?.kind === 'assistant') return []
  const summary = own.findLast(({ kind }) => kind === 'summary')
  const state = summary?.kind === 'summary' ? stateIn(summary.text, MAX_STATE) : undefined
  return [
    ...subagentLines(own.slice(own.findLastIndex(coversReports) + 1)),
    ...(state === undefined ? [] : [`${SUMMARY}${state}`]),
  ]
}

const SUMMARY = 'At the compaction: '
/** UTF-16 units of the state, and of a message long enough to sum up reports. */
const MAX_STATE = SUMMARY_LIMITS.now
const LONG = 300

/** The entry covers earlier reports, either by summing them up or by acting on them. */
function coversReports(entry: TranscriptEntry): boolean {
  if (entry.kind === 'assistant') return entry.text.length > LONG
  if (entry.kind === 'tool') return entry.label !== undefined && changedFiles(entry).length > 0
  return entry.kind === 'summary' || entry.kind === 'plan'
}

/** The newest reports, preceded by the number of older ones. */
function subagentLines(entries: readonly TranscriptEntry[]): string[] {
  const lines = entries.flatMap((entry) => {
    if (entry.kind !== 'tool' || entry.report === undefined) return []
    const about = `Report of “${entry.label?.replace(/^\w+: /, '')}”: `
    const report = entry.report.replace(TRAILER, '').trim()
    const said = quoteOf(withoutLead(report), SUMMARY_LIMITS.report - about.length)
    return said === undefined || PROGRAM_MESSAGE.test(report) ? [] : plainLine(`${about}${said}`)
  })
  const more = lines.length - MAX_REPORTS
  const others = `${more} more ${more === 1 ? 'report' : 'reports'} of subagents before these`
  return more > 0 ? [others, ...lines.slice(-MAX_REPORTS)] : lines
}

const MAX_REPORTS = 2
/** Lines that the program appends to a report, and its messages in place of one. */
const TRAILER = /\n(?:agentId: \S+ \(|<usage>)[^]*$/
const PROGRAM_MESSAGE = /^(?:You['’]ve hit your|You['’]re out of|API Error)\b/

/** Drops an introduction such as `Perfect! Now let me write the report:` before the first title. */
function withoutLead(report: string): string {
  const at = report.search(/^(?:#{1,6} |-{3,}\s*$)/m)
  return at > 0 && at < LONG && report.length > at + LONG ? report.slice(at) : report
}
