/** The fleet's page in a terminal. */

import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { cellWidth } from '../../src/cli/fleet/cell-width.ts'
import { fleetLines } from '../../src/cli/fleet/fleet-view.ts'
import { paintFor } from '../../src/cli/command/paint.ts'
import { BUSY_FLEET, NOW } from '../support/fleets.ts'

const plain = paintFor({}, false)
const coloured = paintFor({}, true)

test.each([20, 40, 72, 80, 200])(
  'in %d cells: no line is wider, colours change nothing else',
  (width) => {
    // A command keeps 20 cells behind its margin, to be copied.
    const lines = fleetLines(BUSY_FLEET, { width, now: NOW, paint: plain })
    expect(lines.filter((line) => cellWidth(line) > Math.max(width, 34))).toEqual([])
    expect(lines.filter((line) => line.endsWith(' '))).toEqual([])
    const painted = fleetLines(BUSY_FLEET, { width, now: NOW, paint: coloured })
    expect(painted.join('\n')).not.toBe(lines.join('\n'))
    expect(painted.map(stripVTControlCharacters)).toEqual(lines)
  },
)
