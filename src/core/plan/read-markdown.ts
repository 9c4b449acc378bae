/** Reads a Markdown plan as units: its tasks, each with the headings before it and the text after it. Pure. */

import type { Document, Line, Section } from '../document/document.ts'
import { pathOf, readDocument } from '../document/document.ts'
import type { Start } from './find-tasks.ts'
import { findTasks } from './find-tasks.ts'
import type { Plan, Task, Unit } from './plan.ts'
import { readShardText } from './shard-marks.ts'
import {
  depthOf,
  idOf,
  dependencyIds,
  isCheckpoint,
  isTaskTitle,
  readBox,
  titleOf,
} from './task-words.ts'

/** Maximum UTF-16 units of a preamble. Shards refer to a longer one by its place instead of repeating it. */
const MAX_PREAMBLE = 8000

export function readMarkdownPlan(text: string): Plan {
  const shard = readShardText(text)
  const whole = readDocument(text)
  const skipped = whole.front === undefined ? 0 : whole.front.length + 2
  const bodyStart = whole.lines[skipped]?.start ?? text.length
  const { head, given, body, line } = shard ?? {
    head: text.slice(0, bodyStart),
    given: '',
    body: text.slice(bodyStart),
    line: skipped,
  }
  // The added first line keeps a rule at the top from being read as front matter.
  const document = readDocument(`\n${body}`)
  const starts = findTasks(document)
  const cuts = starts.length > 0 ? taskCuts(document, starts) : sectionCuts(document)
  const end = preambleEnd(document, starts)
  const own = document.text.slice(1, Math.max(1, end))
  return {
    form: starts.length > 0 ? 'tasks' : 'sections',
    title: titleIn(document),
    head,
    given,
    preamble: own.length > MAX_PREAMBLE ? given : given + own,
    longPreamble: own.length > MAX_PREAMBLE ? (starts[0]?.line.at ?? 1) + line : undefined,
    units: unitsOf(document, cuts, { line, end }),
    eol: whole.eol,
  }
}

/** The beginning of a unit, and what the unit is. */
interface Cut {
  readonly line: Line
  readonly start: Start | undefined
  readonly section: Section | undefined
}

/** A task's unit begins at the outermost heading since the previous task. */
function taskCuts({ lines }: Document, starts: readonly Start[]): Cut[] {
  return starts.map((start, i) => {
    const last = starts[i - 1]?.line.at ?? -1
    const headings = pathOf(start.section).flatMap(({ heading }) => heading ?? [])
    const first = headings.findLast(({ at }) => at > last)
    const line = i === 0 ? (lines[1] ?? start.line) : (first ?? start.line)
    return { line, start, section: start.section }
  })
}

/** The text before the first heading belongs to the first section. */
function sectionCuts({ lines, sections }: Document): Cut[] {
  const first = lines[1] ?? lines[0]
  const headed = sections.flatMap((section) =>
    section.heading === undefined ? [] : [{ line: section.heading, start: undefined, section }],
  )
  if (first === undefined) return []
  const [one = { line: first, start: undefined, section: undefined }, ...more] = headed
  return [{ ...one, line: first }, ...more]
}

/** `line`: number of lines in the file before the document; `end`: end of the preamble. */
function unitsOf(
  { text, lines }: Document,
  cuts: readonly Cut[],
  before: { readonly line: number; readonly end: number },
): Unit[] {
  const units: Unit[] = []
  for (const [i, { line, start, section }] of cuts.entries()) {
    const end = cuts[i + 1]?.line.at ?? lines.length
    const inside = lines.slice(line.at, end)
    const checkpoint = inside.findLast(({ kind, text }) => kind !== 'code' && isCheckpoint(text))
    const task = start && taskOf(start, inside)
    const last = units.at(-1)
    const around = (section === undefined ? [] : pathOf(section).toReversed()).flatMap(
      ({ heading, title }) => (heading && heading.start >= before.end ? [{ heading, title }] : []),
    )
    const depth = around.findIndex(({ heading }) => heading.at === line.at)
    units.push({
      text: text.slice(line.start, cuts[i + 1]?.line.start ?? text.length),
      line: (start?.line.at ?? line.at) + before.line,
      task,
      group: titleOf(around[0]?.title ?? ''),
      continued: around.flatMap(({ heading }) =>
        heading.at < line.at ? [heading.text.trim()] : [],
      ),
      breakpoint: last === undefined ? 9 : breakpointOf(depth, task, last),
      steps: start === undefined ? requirementsIn(inside) : stepsOf(start, inside),
      checkpoint: checkpoint?.text.trim(),
    })
  }
  return units
}

function taskOf({ words, isDone, isOptional }: Start, inside: readonly Line[]): Task {
  const prose = inside.filter(({ kind }) => kind !== 'code')
  return {
    id: idOf(words),
    title: titleOf(words),
    isDone,
    isOptional,
    after: [...new Set(prose.flatMap(({ text }) => dependencyIds(text)))],
  }
}

/** Values of cuts before a heading, by the number of headings above it: a phase, a part of a phase, and so on. */
const GROUP_BREAKS = [8, 4, 3]

/** Best after a checkpoint, then between groups, then between tasks, then between subtasks. */
function breakpointOf(depth: number, task: Task | undefined, last: Unit): number {
  if (last.checkpoint !== undefined) return 9
  if (depth !== -1) return GROUP_BREAKS[depth] ?? 3
  return depthOf(task?.id) > 1 ? 1 : 2
}

const STEP = /^\s*(?:(?:[-*+]\s+)?\*\*Step\s+\d+|\d{1,9}[.)]\s+\S)/i

/** The boxes and numbered lines of a task. A task without any is one step. */
function stepsOf({ line, section, isHeading }: Start, inside: readonly Line[]): number {
  // The lines of a section itself are contiguous.
  const last = section.lines.at(-1)?.at ?? line.at
  const own = isHeading
    ? inside.filter(({ start }) => start < section.content.end)
    : inside.filter(({ at, indent }) => at <= last && indent > line.indent)
  const steps = own.filter(
    ({ at, kind, text }) =>
      at > line.at &&
      kind !== 'code' &&
      kind !== 'heading' &&
      (readBox(text) !== undefined || STEP.test(text)),
  )
  return isHeading ? Math.max(1, steps.length) : 1 + steps.length
}

const REQUIREMENT = /^[-\s*+|#_`]*(?:\[[ xX]\]|[A-Z]{2,5}-\d{1,4}\b|\d{1,9}[.)]\s+\S)/

/** Requirements in a document without tasks, counted by line. */
function requirementsIn(lines: readonly Line[]): number {
  const isOne = ({ kind, text }: Line) => kind !== 'code' && REQUIREMENT.test(text)
  return lines.filter(isOne).length
}

/** Requirements in free text, counted by line. More lines never give fewer steps. */
export function stepsInText(text: string): number {
  const isTask = ({ kind, text }: Line) =>
    kind === 'heading' && isTaskTitle(text.replace(/^[\s#]+/, ''))
  const { lines } = readDocument(`\n${text}`)
  return requirementsIn(lines) + lines.filter(isTask).length
}

/** Ends at the first heading that is not around every task, or else at the first task. */
function preambleEnd({ lines, sections }: Document, starts: readonly Start[]): number {
  const [first] = starts
  if (first === undefined) {
    const second = sections.filter(({ heading }) => heading !== undefined)[1]
    return second?.heading?.start ?? lines[0]?.end ?? 0
  }
  const around = pathOf(first.section).toReversed()
  const isShared = (section: Section) =>
    !(first.isHeading && section === first.section) &&
    starts.every((start) => pathOf(start.section).includes(section))
  const own = around.find((section) => section.heading !== undefined && !isShared(section))
  return (own?.heading ?? first.line).start
}

function titleIn({ sections }: Document): string {
  const named = sections.find(({ title }) => title !== '')
  return titleOf(named?.title ?? '')
}
