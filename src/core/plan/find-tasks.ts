/**
 * Finds where the tasks of a Markdown plan begin, for spec-kit, Kiro, superpowers, and plain lists alike.
 *
 * A heading that names a task (`### Task 3`) is a task, and the check boxes below it are its steps. Otherwise a check
 * box is a task, together with the boxes indented below it. If there are neither, numbered headings are tasks. Text in
 * code or comments never counts.
 */

import type { Document, Line, Section } from '../document/document.ts'
import { pathOf } from '../document/document.ts'
import { isDoneTitle, isNumberedTitle, isTaskTitle, readBox } from './task-words.ts'

/** The start of a task. */
export interface Start {
  readonly line: Line
  readonly section: Section
  /** The text that names the task. */
  readonly words: string
  readonly isHeading: boolean
  readonly isDone: boolean
  readonly isOptional: boolean
}

/** The tasks in the order of the file, without overlaps. */
export function findTasks(document: Document): Start[] {
  const boxes = boxesIn(document)
  const named = headingTasks(document, isTaskTitle, boxes)
  const loose = boxes.filter(({ section }) => !pathOf(section).some((one) => named.has(one)))
  const tasks = [...named.values(), ...topBoxes(loose)]
  if (tasks.length === 0) return [...headingTasks(document, isNumberedTitle, boxes).values()]
  return tasks.sort((a, b) => a.line.at - b.line.at)
}

/** Headings that match `isTask` and contain no other such heading. */
function headingTasks(
  { sections }: Document,
  isTask: (title: string) => boolean,
  boxes: readonly Start[],
): Map<Section, Start> {
  const wanted = sections.filter(({ heading, title }) => heading !== undefined && isTask(title))
  const around = new Set(wanted.flatMap(({ parent }) => (parent ? pathOf(parent) : [])))
  const leaves = wanted.filter((section) => !around.has(section))
  return new Map(leaves.map((section) => [section, headingStart(section, boxes)]))
}

/** The task is done if its heading says so, or if every box below it is ticked. */
function headingStart(section: Section, boxes: readonly Start[]): Start {
  const inside = boxes.filter((box) => pathOf(box.section).includes(section))
  return {
    line: section.heading as Line,
    section,
    words: section.title,
    isHeading: true,
    isDone:
      isDoneTitle(section.title) ||
      (inside.length > 0 && inside.every(({ isDone, isOptional }) => isDone || isOptional)),
    isOptional: false,
  }
}

function boxesIn({ sections }: Document): Start[] {
  return sections.flatMap((section) =>
    section.lines.flatMap((line) => {
      const box = line.kind === 'item' ? readBox(line.text) : undefined
      return box === undefined ? [] : [{ line, section, isHeading: false, ...box }]
    }),
  )
}

/** Boxes that are not below another box of the same section. */
function topBoxes(boxes: readonly Start[]): Start[] {
  let open: Start | undefined
  return boxes.filter((box) => {
    const isStep = open?.section === box.section && box.line.indent > open.line.indent + 1
    if (!isStep) open = box
    return !isStep
  })
}
