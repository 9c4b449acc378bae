/** The fleet as lines of a terminal: what to look at first, then who works where. */

import { ageOf } from '../../core/event/age.ts'
import type { Attention, Fleet } from '../../core/fleet/fleet.ts'
import { fitCells } from './cell-width.ts'
import { branchLines, decisionLines } from './fleet-branches.ts'
import type { Colour, Page } from './fleet-page.ts'
import { ends, section, toEnds } from './fleet-page.ts'
import { worktreeLines } from './fleet-worktrees.ts'
import { count, safeText } from '../command/format.ts'

/** How many of each are shown: a person looks at it, the others are counted. */
const SHOWN = { attention: 8, questions: 3, errors: 5 }

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
      // Spaces at the end, also before the end of colours.
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
    const next = fitCells(safeText(command, 4096), Math.max(width - start, 20), { isOpen: true })
    return [line, `${' '.repeat(start)}${paint.dim(next)}`]
  }
  const items = { here: attention, all, most: SHOWN.attention }
  return section(`${all} to look at`, items, lines, page)
}

/** Old ones are to be looked at already. */
function questionLines({ open_questions, attention, more }: Fleet, page: Page): string[] {
  const old = new Set(
    attention.flatMap(({ kind, message }) => (kind === 'question' ? message : [])),
  )
  const here = open_questions.filter(({ text }) => !old.has(text))
  const all = here.length + more.open_questions
  const line = ({ text, agent, ts }: (typeof here)[number]) =>
    toEnds(`  ${safeText(text)} (${safeText(agent)})`, ageOf(ts, page.now), page)
  return section(count(all, 'open question'), { here, all, most: SHOWN.questions }, line, page)
}

function errorLines({ errors }: Fleet, page: Page): string[] {
  const items = { here: errors, all: errors.length, most: SHOWN.errors }
  const line = ({ part, subject, message }: Fleet['errors'][number]) => {
    const name = [part.replace('_', ' '), subject].filter((word) => word !== '').join(' ')
    return fitCells(`  ${name}: ${message}`, page.width, { isOpen: true })
  }
  return section(`${count(items.all, 'thing')} could not be read`, items, line, page, '')
}
