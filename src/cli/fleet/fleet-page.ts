/** Lines of the fleet's page: its width, its colours, and what every part is made of. */

import type { FleetWorktree } from '../../core/fleet/fleet.ts'
import { cellWidth, fitCells } from './cell-width.ts'
import type { Paint } from '../command/paint.ts'

export interface Page {
  /** Cells of a line; each line has at most so many. */
  readonly width: number
  /** Unix milliseconds. */
  readonly now: number
  readonly paint: Paint
}

export type Colour = keyof Paint

export function heading(text: string, { paint, width }: Page): string {
  return paint.bold(fitCells(text, width, { isOpen: true }))
}

export function moreLine(more: number, what: string, { paint, width }: Page): string[] {
  return more <= 0
    ? []
    : [paint.dim(fitCells(`  and ${more} more${what}`, width, { isOpen: true }))]
}

/** `left`, and `right` at the end of the line. */
export function ends(left: string, right: string, { width }: Page): [string, string] {
  const end = right === '' ? '' : ` ${right}`
  return [fitCells(left, width - cellWidth(end)), end]
}

export function distance({ ahead, behind }: Pick<FleetWorktree, 'ahead' | 'behind'>): string {
  return [ahead ? `${ahead} ahead` : '', behind ? `${behind} behind` : '']
    .filter((part) => part !== '')
    .join(', ')
}
