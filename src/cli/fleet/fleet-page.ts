/** Lines of the fleet's page: its width, its colours, and the building blocks of its parts. */

import type { FleetWorktree } from '../../core/fleet/fleet.ts'
import { cellWidth, fitCells } from './cell-width.ts'
import type { Paint } from '../command/paint.ts'

export interface Page {
  /** The most cells that a line may take. */
  readonly width: number
  /** Unix milliseconds. */
  readonly now: number
  readonly paint: Paint
  /** A command to copy, as it can be typed where the page is read. */
  readonly typed: (command: string) => string
}

export type Colour = keyof Paint

/** A part of the page: a heading, the first `most` items of `here`, and a count of the rest of `all`. */
export function section<T>(
  title: string,
  { here, all, most }: { readonly here: readonly T[]; readonly all: number; readonly most: number },
  linesOf: (item: T) => string | readonly string[],
  page: Page,
  rest = `: ${page.typed('git ledger fleet --json')}`,
): string[] {
  if (all === 0) return []
  const shown = here.slice(0, most)
  return [
    heading(title, page),
    ...shown.flatMap(linesOf),
    ...moreLine(all - shown.length, rest, page),
  ]
}

export function heading(text: string, { paint, width }: Page): string {
  return paint.bold(fitCells(text, width, { isOpen: true }))
}

export function moreLine(more: number, what: string, { paint, width }: Page): string[] {
  return more <= 0
    ? []
    : [paint.dim(fitCells(`  and ${more} more${what}`, width, { isOpen: true }))]
}

/** `left`, with `right` in another colour at the end of the line. */
export function toEnds(left: string, right: string, page: Page, colour: Colour = 'dim'): string {
  const [text, end] = ends(left, right, page)
  return `${text}${page.paint[colour](end)}`
}

/** Both ends of such a line, before they are painted. */
export function ends(left: string, right: string, { width }: Page): [string, string] {
  const end = right === '' ? '' : ` ${right}`
  return [fitCells(left, width - cellWidth(end)), end]
}

export function distance({ ahead, behind }: Pick<FleetWorktree, 'ahead' | 'behind'>): string {
  return [ahead ? `${ahead} ahead` : '', behind ? `${behind} behind` : '']
    .filter((part) => part !== '')
    .join(', ')
}
