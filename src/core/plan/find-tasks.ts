/**
 * Where the tasks of a Markdown plan begin: one core for spec-kit, Kiro, superpowers and plain lists.
 *
 * A heading that says so (`### Task 3`) is a task, and the check boxes below it are its steps; else a check
 * box is a task, with the boxes indented below it; else, where there are none of both, a numbered heading.
 * What stands in code or in a comment is none of them.
 */

import type { Document, Line, Section } from '../document/document.ts'
import { pathOf } from '../document/document.ts'
import { isDoneTitle, isNumberedTitle, isTaskTitle, readBox } from './task-words.ts'

/** Where a task begins. */
export interface Start {
  readonly line: Line
  readonly section: Section
  /** The words that name it. */
  readonly words: string
  readonly isHeading: boolean
  readonly isDone: boolean
  readonly isOptional: boolean
}

/** In the order of the file; none overlaps another. */
export function findTasks(document: Document): Start[] {
  const boxes = boxesIn(document)
  const named = headingTasks(document, isTaskTitle, boxes)
  const loose = boxes.filter(({ section }) => !pathOf(section).some((one) => named.has(one)))
  const tasks = [...named.values(), ...topBoxes(loose)]
  if (tasks.length === 0) return [...headingTasks(document, isNumberedTitle, boxes).values()]
  return tasks.sort((a, b) => a.line.at - b.line.at)
}

/** Headings that `isTask` with none inside them. */
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

/** It is done when its own words say so, or every box below it is ticked. */
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

/** Those that are not below another one of their section. */
function topBoxes(boxes: readonly Start[]): Start[] {
  let open: Start | undefined
  return boxes.filter((box) => {
    const isStep = open?.section === box.section && box.line.indent > open.line.indent + 1
    if (!isStep) open = box
    return !isStep
  })
}
