/** The fleet on the README's first screen is what `fleet` prints. */

import { expect, test } from 'vitest'
import { fleetLines } from '../../src/cli/fleet/fleet-view.ts'
import { paintFor } from '../../src/cli/command/paint.ts'
import { blocksOf } from '../support/document-blocks.ts'
import { NOW, SMALL_FLEET } from '../support/fleets.ts'

test('the first block of the README', () => {
  const width = 72
  const printed = fleetLines(SMALL_FLEET, {
    width,
    now: NOW,
    paint: paintFor({}, false),
    typed: (command) => command,
  })
  const [first] = blocksOf('README.md')
  const how = 'put the lines that are expected here into the first block of README.md'
  expect(first?.text.split('\n'), how).toEqual(printed)
})
