/** The fleet as lines of a terminal: what to look at first, then who works where. */

import type {
  Attention,
  DifferingDecision,
  Fleet,
  FleetAgent,
  FleetBranch,
  FleetWorktree,
} from '../core/fleet/fleet.ts'
import { folderName } from '../core/fleet/holders.ts'
import { ageOf } from './age.ts'
import { cellWidth, fitCells } from './cell-width.ts'
import { count, safeText } from './format.ts'

export interface ViewOptions {
  /** Cells of a line; each line has at most so many. */
  readonly width: number
  /** Unix milliseconds. */
  readonly now: number
  readonly isColoured: boolean
}

/** How many of each are shown: a person looks at it, the others are counted. */
const SHOWN = { attention: 8, decisions: 5, branches: 5, questions: 3 }

type Colour = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan'

const CODES: Readonly<Record<Colour, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  yellow: 33,
  green: 32,
  cyan: 36,
}

type Paint = (colour: Colour, text: string) => string

interface Page extends ViewOptions {
  readonly paint: Paint
}

export function fleetLines(fleet: Fleet, options: ViewOptions): string[] {
  const paint: Paint = (colour, text) =>
    options.isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
  const page = { ...options, paint }
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
      // Spaces at the end, also before the end of a colour.
      // oxlint-disable-next-line no-control-regex
      .map((line) => line.replace(/ +(\u001b\[0m)?$/, '$1'))
  )
}

function asOf({ at }: Fleet, { paint }: Page): string[] {
  return at === null ? [] : [paint('bold', `as of ${at}`)]
}

function heading(text: string, { paint, width }: Page): string {
  return paint('bold', fitCells(text, width, { isOpen: true }))
}

function moreLine(more: number, what: string, { paint, width }: Page): string[] {
  return more <= 0
    ? []
    : [paint('dim', fitCells(`  and ${more} more${what}`, width, { isOpen: true }))]
}

/** `left`, and `right` at the end of the line. */
function ends(left: string, right: string, { width }: Page): [string, string] {
  const end = right === '' ? '' : ` ${right}`
  return [fitCells(left, width - cellWidth(end)), end]
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
  if (all === 0) return []
  const shown = attention.slice(0, SHOWN.attention)
  const start = 2 + KIND_WIDTH + 1
  const lines = shown.flatMap(({ kind, subject, message, since, command }) => {
    const word = kind.replace('_', ' ')
    const head = `  ${word.padEnd(KIND_WIDTH)} `
    const [text, age] = ends(`${head}${subject}: ${message}`, ageOf(since, now), page)
    const line = `  ${paint(KIND_COLOURS[kind], word)}${text.slice(2 + word.length)}${paint('dim', age)}`
    if (command === null) return [line]
    const next = fitCells(safeText(command, 4096), Math.max(width - start, 20), { isOpen: true })
    return [line, `${' '.repeat(start)}${paint('dim', next)}`]
  })
  return [
    heading(`${all} to look at`, page),
    ...lines,
    ...moreLine(all - shown.length, ': git ledger fleet --json', page),
  ]
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
  return `${paint('bold', text)}${paint(fresh === false ? 'yellow' : 'dim', end)}`
}

function distance({ ahead, behind }: Pick<FleetWorktree, 'ahead' | 'behind'>): string {
  return [ahead ? `${ahead} ahead` : '', behind ? `${behind} behind` : '']
    .filter((part) => part !== '')
    .join(', ')
}

const NAME_WIDTH = 14
const PHASE_WIDTH = 11

const PHASE_COLOURS: Partial<Record<FleetAgent['phase'], Colour>> = {
  active: 'green',
  active_committed: 'green',
  idle: 'yellow',
  timed_out: 'red',
}

/** Name, phase, how full its context is, what it does, and for how long nothing was heard. */
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
      : paint(level === 'L1' ? 'yellow' : 'red', rest.slice(0, 7)) + rest.slice(7)
  return `${text.slice(0, at)}${paint(colour, word)}${shown}${paint('dim', age)}`
}

function decisionLines({ decisions_differ, more }: Fleet, page: Page): string[] {
  const all = decisions_differ.length + more.decisions_differ
  if (all === 0) return []
  const shown = decisions_differ.slice(0, SHOWN.decisions)
  return [
    heading(`${count(all, 'decision')} that branches hold differently`, page),
    ...shown.flatMap((one) => decisionOf(one, page)),
    ...moreLine(all - shown.length, ': git ledger fleet --json', page),
  ]
}

function decisionOf({ key, both_sides, values }: DifferingDecision, page: Page): string[] {
  const { paint, now, width } = page
  const why = both_sides ? 'set on both sides' : 'set on one side'
  const [name, end] = ends(`  ${safeText(key)}`, why, page)
  return [
    `${name}${paint(both_sides ? 'yellow' : 'dim', end)}`,
    ...values.slice(0, 4).map(({ value, agent, ts, held_on }) => {
      const [first = '', ...others] = held_on
      const where = `${safeText(first, 30)}${others.length === 0 ? '' : ` and ${others.length} more`}`
      const text = value === null ? '(taken back)' : safeText(String(value))
      const half = Math.max(10, Math.floor((width - 6) / 2))
      const left = `    ${fitCells(text, half)} ${safeText(agent)} on ${where}`
      const [line, age] = ends(left, ageOf(ts, now), page)
      return `${line}${paint('dim', age)}`
    }),
    ...moreLine(values.length - 4, ' values', page),
  ]
}

/** Branches that no worktree shows. */
function branchLines({ branches, worktrees, more }: Fleet, page: Page): string[] {
  const shownElsewhere = new Set(worktrees.map(({ branch }) => branch))
  const others = branches.filter(({ name }) => !shownElsewhere.has(name))
  if (others.length === 0) return []
  const shown = others.slice(0, SHOWN.branches)
  return [
    heading(`${count(others.length, 'branch').replace('branchs', 'branches')} besides`, page),
    ...shown.map((branch) => branchLine(branch, page)),
    ...moreLine(
      others.length - shown.length + more.branches,
      ': git ledger fleet --all-branches --json',
      page,
    ),
  ]
}

function branchLine(branch: FleetBranch, page: Page): string {
  const { name, would_change, more, fresh } = branch
  const changes = would_change === null ? undefined : would_change.length + more
  const facts = [
    fresh === false ? 'stale' : '',
    changes === undefined || changes === 0
      ? ''
      : `would change ${count(changes, 'entry').replace('entrys', 'entries')}`,
    distance(branch),
  ].filter((fact) => fact !== '')
  const [text, end] = ends(`  ${safeText(name)}`, facts.join(', '), page)
  return `${text}${page.paint(fresh === false ? 'yellow' : 'dim', end)}`
}

/** Old ones are to be looked at already. */
function questionLines({ open_questions, attention, more }: Fleet, page: Page): string[] {
  const old = new Set(
    attention.flatMap(({ kind, message }) => (kind === 'question' ? message : [])),
  )
  const young = open_questions.filter(({ text }) => !old.has(text))
  const all = young.length + more.open_questions
  if (all === 0) return []
  const shown = young.slice(0, SHOWN.questions)
  return [
    heading(count(all, 'open question'), page),
    ...shown.map(({ text, agent, ts }) => {
      const [line, age] = ends(
        `  ${safeText(text)} (${safeText(agent)})`,
        ageOf(ts, page.now),
        page,
      )
      return `${line}${page.paint('dim', age)}`
    }),
    ...moreLine(all - shown.length, ': git ledger fleet --json', page),
  ]
}

function errorLines({ errors }: Fleet, page: Page): string[] {
  if (errors.length === 0) return []
  const what = `${count(errors.length, 'thing')} could not be read`
  return [
    heading(what, page),
    ...errors.slice(0, 5).map(({ part, subject, message }) => {
      const name = [part.replace('_', ' '), subject].filter((word) => word !== '').join(' ')
      return fitCells(`  ${name}: ${message}`, page.width, { isOpen: true })
    }),
    ...moreLine(errors.length - 5, '', page),
  ]
}
