/**
 * Renders a ledger as the Markdown of `current.md`, format 1.
 *
 * The bytes are a pure function of the events and their tree: the machine, the time, and the locale do not affect the
 * file. Golden files in `test/core/ledger/golden/` pin the format.
 */

import type { Checkpoint } from '../event/event.ts'
import { compareEvents } from '../event/event.ts'
import type { Instant } from '../event/instant.ts'
import { formatInstant } from '../event/instant.ts'
import type { Ledger } from './join.ts'
import type { Attributed } from './join-state.ts'
import type { InLane } from './lanes.ts'
import { counted } from '../text/counted.ts'
import {
  escapeCell,
  escapeInline,
  escapeItemStart,
  escapeKey,
  escapeSharedLine,
  escapeTitle,
  oneLine,
} from '../text/escape-markdown.ts'
import { escapeUnits } from '../text/escape-units.ts'
import { IGNORE_END, IGNORE_START } from '../text/ignored-range.ts'
import { problemText } from '../event/problem.ts'
import { CURRENT_FORMAT } from './provenance.ts'

/** Maximum number of This Session items in the file. */
export const SHOWN_ITEMS = 100
/** Maximum number of Next steps in the file. */
export const SHOWN_STEPS = 60
const ALL = 'ledger-git show --all'

const NOTE =
  '<!-- generated from events/ by ledger-git: do not edit, add an event. ' +
  'Not set up in this clone? npx ledger-git install -->'

const ICONS: Record<string, string> = {
  pending: '○',
  in_progress: '→',
  validated: '✓',
  failed: '✗',
}

/**
 * Renders `current.md` for the ledger joined from the git tree `eventsTree`. `isWhole`: includes everything that the
 * file only counts, for people who ask for it.
 */
export function renderLedger(
  ledger: Ledger,
  eventsTree: string,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): string {
  const title = ledger.title === undefined ? 'ledger' : safe(ledger.title, escapeTitle)
  const blocks = [
    IGNORE_START,
    `# Work Stream: ${title}`,
    ['## Ledger', NOTE, ...headLines(ledger)].join('\n'),
    ledger.now === undefined ? '' : `### Now\n[->] ${safe(ledger.now, escapeInline)}`,
    section('This Session', thisSessionLines(ledger, isWhole)),
    section('Next', nextLines(ledger, isWhole)),
    section('Decisions', activeLines(ledger, ledger.decisions, isWhole, decisionLine)),
    section('Open Questions', activeLines(ledger, ledger.openQuestions, isWhole, questionLine)),
    section('Checkpoints', ledger.checkpoints.map(checkpointLine)),
    section('Agents', agentLines(ledger, isWhole)),
  ]
  blocks.push(footer(ledger, eventsTree), IGNORE_END)
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function headLines(ledger: Ledger): string[] {
  const branch = ledger.now?.by.branch
  return [
    ledger.latest && `**Updated:** ${formatInstant(ledger.latest)}`,
    ledger.goal && `**Goal:** ${safe(ledger.goal, escapeSharedLine)}`,
    branch && `**Branch:** ${escapeSharedLine(oneLine(branch, ledger.now.by.file))}`,
    ledger.test && `**Test:** ${safe(ledger.test, escapeSharedLine)}`,
  ].filter((line) => line !== undefined)
}

function thisSessionLines({ thisSession }: Ledger, isWhole: boolean): string[] {
  const hidden = isWhole ? 0 : Math.max(0, thisSession.length - SHOWN_ITEMS)
  const shown = thisSession.slice(hidden).map((item) => `- [x] ${safe(item, escapeInline)}`)
  return hidden > 0 ? [`- … ${counted(hidden, 'earlier item')}: ${ALL}`, ...shown] : shown
}

function nextLines({ next }: Ledger, isWhole: boolean): string[] {
  if (isWhole) return next.map(stepLine)
  const awake = next.filter(({ isResting }) => !isResting)
  const shown = firstSteps(awake)
  const [more, resting] = [awake.length - shown.length, next.length - awake.length]
  const lanes = new Set(next.flatMap(({ isResting, by }) => (isResting ? by : [])))
  return [
    ...shown.map(stepLine),
    ...(more > 0 ? [`- … and ${more} more: ${ALL}`] : []),
    ...restingLine(resting, lanes.size),
  ]
}

function restingLine(count: number, streams: number): string[] {
  return count === 0
    ? []
    : [`- … and ${count} more from ${counted(streams, 'earlier stream')}: ${ALL}`]
}

/** Lines for active streams; entries of resting streams are only counted. */
function activeLines<T extends Attributed<unknown>>(
  { restingStreams }: Ledger,
  said: readonly T[],
  isWhole: boolean,
  lineOf: (one: T) => string,
): string[] {
  const rests = ({ by }: T) => by.stream !== undefined && restingStreams.has(by.stream)
  const resting = isWhole ? [] : said.filter(rests)
  const shown = resting.length === 0 ? said : said.filter((one) => !rests(one))
  const streams = new Set(resting.map(({ by }) => by.stream))
  return [...shown.map(lineOf), ...restingLine(resting.length, streams.size)]
}

function questionLine(item: Attributed<string>): string {
  return `- ${safe(item, escapeItemStart)}`
}

function stepLine(item: InLane): string {
  return `- [ ] ${safe(item, escapeInline)}${item.isResting ? ' (resting)' : ''}`
}

/** Steps of the newest lists. If a list does not fit completely, its first steps are shown. */
function firstSteps(steps: readonly InLane[]): InLane[] {
  const byNewest = steps.toSorted((a, b) => compareEvents(b.by, a.by))
  const shown = new Set(byNewest.slice(0, SHOWN_STEPS))
  return steps.filter((step) => shown.has(step))
}

function decisionLine({ value, by }: Ledger['decisions'][number]): string {
  const key = escapeKey(oneLine(value.key, by.file))
  const text = escapeInline(oneLine(value.text, by.file))
  return text === '' ? `- **${key}**` : `- **${key}:** ${text}`
}

function checkpointLine({ value, by }: Attributed<Checkpoint & { updated: Instant }>): string {
  const icon = Object.hasOwn(ICONS, value.status.toLowerCase())
    ? `${ICONS[value.status.toLowerCase()]} `
    : ''
  const phase = value.phase === '' ? '' : `Phase ${oneLine(value.phase, by.file)}`
  const status = oneLine(value.status, by.file).toUpperCase()
  const words = [phase, status].filter((word) => word !== '').join(': ')
  return `- ${icon}${escapeItemStart(words)} (${formatInstant(value.updated)})`
}

function agentLines({ agents }: Ledger, isWhole: boolean): string[] {
  if (agents.length === 0) return []
  const shown = agents.filter(({ isResting }) => isWhole || !isResting)
  const hidden = agents.length - shown.length
  const rows = shown.map(({ value, by }) => {
    const cells = [by.agent, by.branch ?? '', value].map((text) =>
      escapeCell(oneLine(text, by.file)),
    )
    return `| ${[...cells, formatInstant(by.ts)].join(' | ')} |`
  })
  const table = ['| Agent | Branch | Now | Updated |', '| --- | --- | --- | --- |', ...rows]
  return [
    ...(rows.length === 0 ? [] : table),
    ...(hidden > 0 ? ['', `… and ${hidden} more, at rest: ${ALL}`] : []),
  ]
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`### ${title}`, ...lines].join('\n')
}

/** The footer is YAML between rules, so that people, scripts, and the merge driver can read it. */
function footer(ledger: Ledger, eventsTree: string): string {
  const latest = ledger.latest === undefined ? 'null' : formatInstant(ledger.latest)
  const skipped = ledger.skipped.flatMap((problem) => [
    `  - file: ${quote(problem.file)}`,
    `    problem: ${quote(problemText(problem))}`,
  ])
  const lines = [
    '---',
    '_synthesized:',
    `  format: ${CURRENT_FORMAT}`,
    `  event_count: ${ledger.eventCount}`,
    `  latest_ts: ${latest}`,
    // The newest input's time, as in reproducible builds: no wall clock in the bytes.
    `  generated_at: ${latest}`,
    `  events_tree: ${eventsTree}`,
    ...(skipped.length === 0 ? ['  skipped: []'] : ['  skipped:', ...skipped]),
    '---',
  ]
  return lines.join('\n')
}

/** A YAML double-quoted scalar on one line, with control and format characters escaped. */
function quote(text: string): string {
  const pattern = /[<\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g
  return escapeUnits(JSON.stringify(text.toWellFormed()), pattern)
}

function safe(said: Attributed<string>, escape: (text: string) => string): string {
  return escape(oneLine(said.value, said.by.file))
}
