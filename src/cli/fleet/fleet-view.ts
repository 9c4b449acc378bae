/** The fleet as lines of a terminal: what to look at first, then who works where. */

import { ageOf } from '../../core/event/age.ts'
import type {
  Attention,
  DifferingDecision,
  Fleet,
  FleetAgent,
  FleetBranch,
  FleetWorktree,
} from '../../core/fleet/fleet.ts'
import { folderName } from '../../core/text/folder-name.ts'
import { fitCells } from './cell-width.ts'
import type { Colour, Page } from './fleet-page.ts'
import { distance, ends, heading, moreLine, section, toEnds } from './fleet-page.ts'
import { count, safeText } from '../command/format.ts'

/** How many items of each list are shown to a person; the rest are counted. */
const SHOWN = { attention: 8, decisions: 5, branches: 5, questions: 3, errors: 5, places: 3 }

export function fleetLines(fleet: Fleet, page: Page): string[] {
  const parts = [
    asOf(fleet, page),
    attentionLines(fleet, page),
    worktreeLines(fleet, page),
    decisionLines(fleet, page),
    branchLines(fleet, page),
    questionLines(fleet, page),
    errorLines(fleet, page),
  ].filter((part) => part.length > 0)
  return (
    parts
      .flatMap((part, i) => (i === 0 ? part : ['', ...part]))
      // Trailing spaces, also those before the end of a colour.
      // oxlint-disable-next-line no-control-regex
      .map((line) => line.replace(/ +((?:\u001b\[\d+m)*)$/, '$1'))
  )
}

function asOf({ at }: Fleet, { paint }: Page): string[] {
  return at === null ? [] : [paint.bold(`as of ${at}`)]
}

const KIND_COLOURS: Readonly<Record<Attention['kind'], Colour>> = {
  stalled: 'red',
  waiting: 'yellow',
  broken: 'red',
  stale: 'yellow',
  context: 'yellow',
  question: 'cyan',
  left_behind: 'cyan',
}
const KIND_WIDTH = 11

function attentionLines({ attention, more }: Fleet, page: Page): string[] {
  const { paint, now, width } = page
  const all = attention.length + more.attention
  const start = 2 + KIND_WIDTH + 1
  const lines = ({ kind, subject, message, since, command }: Attention) => {
    const word = kind.replace('_', ' ')
    const head = `  ${word.padEnd(KIND_WIDTH)} `
    const [text, age] = ends(`${head}${subject}: ${message}`, ageOf(since, now), page)
    const line = `  ${paint[KIND_COLOURS[kind]](word)}${text.slice(2 + word.length)}${paint.dim(age)}`
    if (command === null) return [line]
    const next = fitCells(safeText(page.typed(command), 4096), Math.max(width - start, 20), {
      isOpen: true,
    })
    return [line, `${' '.repeat(start)}${paint.dim(next)}`]
  }
  const items = { here: attention, all, most: SHOWN.attention }
  return section(`${all} to look at`, items, lines, page)
}

function worktreeLines({ worktrees, more }: Fleet, page: Page): string[] {
  const all = worktrees.length + more.worktrees
  if (all === 0) return [heading('no worktrees', page)]
  const lines = worktrees.flatMap((worktree) => [
    worktreeLine(worktree, page),
    ...worktree.agents.map((agent) => agentLine(agent, page)),
  ])
  return [
    heading(count(all, 'worktree'), page),
    ...lines,
    ...moreLine(more.worktrees, '', page),
    ...moreLine(more.agents, more.agents === 1 ? ' agent' : ' agents', page),
  ]
}

function worktreeLine(worktree: FleetWorktree, page: Page): string {
  const { branch, path, note, fresh, pending } = worktree
  const folder = safeText(folderName(path))
  const name = branch === null ? folder : safeText(branch)
  const facts = [
    note ?? '',
    fresh === false ? 'stale' : '',
    pending === null || pending === 0 ? '' : `${pending} pending`,
    distance(worktree),
  ].filter((fact) => fact !== '')
  const where = branch === null || branch === folder ? '' : `  in ${folder}`
  const [text, end] = ends(`  ${name}${where}`, facts.join(', '), page)
  const { paint } = page
  return `${paint.bold(text)}${paint[fresh === false ? 'yellow' : 'dim'](end)}`
}

const NAME_WIDTH = 14
const PHASE_WIDTH = 11

const PHASE_COLOURS: Partial<Record<FleetAgent['phase'], Colour>> = {
  active: 'green',
  active_committed: 'green',
  idle: 'yellow',
  timed_out: 'red',
}

/** Name, phase, how full its context is, what it is doing, and the age of its last sign of life. */
function agentLine(
  { agent, phase, now: doing, last_sign, context }: FleetAgent,
  page: Page,
): string {
  const { paint, now } = page
  const name = fitCells(safeText(agent), NAME_WIDTH)
  const word = (phase === 'active_committed' ? 'active' : phase.replace('_', ' ')).padEnd(
    PHASE_WIDTH,
  )
  const full =
    context === null ? '      ' : `${String(context.percent).padStart(3)} %  `.slice(0, 6)
  const said = doing === null ? '' : safeText(doing)
  const [text, age] = ends(`    ${name} ${word} ${full}${said}`, ageOf(last_sign, now), page)
  const at = `    ${name} `.length
  const colour = PHASE_COLOURS[phase] ?? 'dim'
  const level = context === null || context.level === 'L0' ? undefined : context.level
  const rest = text.slice(at + word.length)
  const shown =
    level === undefined
      ? rest
      : paint[level === 'L1' ? 'yellow' : 'red'](rest.slice(0, 7)) + rest.slice(7)
  return `${text.slice(0, at)}${paint[colour](word)}${shown}${paint.dim(age)}`
}

function decisionLines({ decisions_differ, more }: Fleet, page: Page): string[] {
  const all = decisions_differ.length + more.decisions_differ
  const items = { here: decisions_differ, all, most: SHOWN.decisions }
  const title = `${count(all, 'decision')} that branches hold differently`
  return section(title, items, (one) => decisionOf(one, page), page)
}

function decisionOf({ key, both_sides, values }: DifferingDecision, page: Page): string[] {
  const { now, width } = page
  const why = both_sides ? 'set on both sides' : 'set on one side'
  return [
    toEnds(`  ${safeText(key)}`, why, page, both_sides ? 'yellow' : 'dim'),
    ...values.slice(0, 4).map(({ value, agent, ts, held_on }) => {
      const [first = '', ...others] = held_on
      const where = `${safeText(first, 30)}${others.length === 0 ? '' : ` and ${others.length} more`}`
      const text = value === null ? '(removed)' : safeText(String(value))
      const half = Math.max(10, Math.floor((width - 6) / 2))
      const left = `    ${fitCells(text, half)} ${safeText(agent)} on ${where}`
      return toEnds(left, ageOf(ts, now), page)
    }),
    ...moreLine(values.length - 4, ' values', page),
  ]
}

/** Branches that no worktree has checked out. */
function branchLines({ branches, worktrees, more }: Fleet, page: Page): string[] {
  const shownElsewhere = new Set(worktrees.map(({ branch }) => branch))
  const here = branches.filter(({ name }) => !shownElsewhere.has(name))
  if (here.length === 0) return []
  const items = { here, all: here.length + more.branches, most: SHOWN.branches }
  const title = `${count(here.length, 'other branch').replace('branchs', 'branches')}`
  const json = here.length > SHOWN.branches ? ' --json' : ''
  const rest = `: ${page.typed(`git ledger fleet --all-branches${json}`)}`
  return section(title, items, (branch) => branchLine(branch, page), page, rest)
}

function branchLine(branch: FleetBranch, page: Page): string {
  const { name, would_change, more, fresh } = branch
  const changes = would_change === null ? 0 : would_change.length + more
  const facts = [
    fresh === false ? 'stale' : '',
    changes === 0 ? '' : `would change ${changes} ${changes === 1 ? 'entry' : 'entries'}`,
    distance(branch),
  ].filter((fact) => fact !== '')
  const colour = fresh === false ? 'yellow' : 'dim'
  return toEnds(`  ${safeText(name)}`, facts.join(', '), page, colour)
}

/** Leaves out old questions, which are already listed under `to look at`. */
function questionLines({ open_questions, attention, more }: Fleet, page: Page): string[] {
  const old = new Set(
    attention.flatMap(({ kind, message }) => (kind === 'question' ? message : [])),
  )
  const here = open_questions.filter(({ text }) => !old.has(safeText(text, 160)))
  const all = here.length + more.open_questions
  const line = ({ text, agent, ts }: (typeof here)[number]) =>
    toEnds(`  ${safeText(text)} (${safeText(agent)})`, ageOf(ts, page.now), page)
  return section(count(all, 'open question'), { here, all, most: SHOWN.questions }, line, page)
}

/** One line per reason; a reason already shown under `to look at` is not repeated. */
function errorLines({ errors, attention }: Fleet, page: Page): string[] {
  const alreadyShown = new Set(attention.slice(0, SHOWN.attention).map(({ message }) => message))
  const byReason = new Map<string, string[]>()
  for (const { part, subject, message } of errors) {
    const reason = alreadyShown.has(message) ? 'see above' : safeText(message, 1000)
    const name = safeText(`${part.replace('_', ' ')} ${subject}`.trim())
    byReason.set(reason, [...(byReason.get(reason) ?? []), name])
  }
  const lines = [...byReason].map(([reason, names]) => {
    const more = names.length > SHOWN.places ? ` and ${names.length - SHOWN.places} more` : ''
    return `  ${names.slice(0, SHOWN.places).join(', ')}${more}: ${reason}`
  })
  const items = { here: lines, all: lines.length, most: SHOWN.errors }
  const line = (text: string) => fitCells(text, page.width, { isOpen: true })
  return section(`${count(errors.length, 'thing')} could not be read`, items, line, page, '')
}
