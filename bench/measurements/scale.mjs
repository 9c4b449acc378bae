/** How the time of a cold run grows with the number of events. */

import { coldCheck, coldCheckMemory } from '../cold-check.mjs'
import { interleave, median } from '../measure.mjs'
import { valueRow } from '../rows.mjs'

export function measureScale({ sandbox, repositories, quick }) {
  const sizes = quick ? [1000, 5000, 20_000] : [1000, 10_000, 100_000]
  const [smallest, , largest] = sizes
  const check = (size, revision) => coldCheck(sandbox, repositories.withEvents(size), revision)
  for (const size of sizes) repositories.withEvents(size)
  const { empty, ...samples } = interleave(
    {
      empty: () => check(smallest, 'empty'),
      ...Object.fromEntries(sizes.map((size) => [size, () => check(size)])),
    },
    quick ? 2 : 4,
    { warmUp: false },
  )
  const net = new Map(sizes.map((size) => [size, less(samples[size], median(empty))]))
  const memory = () => coldCheckMemory(sandbox, repositories.withEvents(largest)).toFixed(0)
  return [growthRow(net, quick ? '' : `; peak ${memory()} MB`)]
}

/** The samples minus the cost of a run that finds no events. */
function less(samples, start) {
  return samples.map((millis) => millis - start)
}

/** @param {Map<number, number[]>} net milliseconds by number of events, smallest first */
function growthRow(net, note) {
  const [, [middle, base], [largest, samples]] = net
  const costs = [...net].map(([size, millis]) => {
    const micros = (median(millis) / size) * 1000
    return `${size.toLocaleString('en')}: ${micros.toFixed(0)} µs per event`
  })
  const exponentOf = (millis) => Math.log(millis / median(base)) / Math.log(largest / middle)
  return valueRow({
    work: `check --rev, ${largest.toLocaleString('en')} events, cold: growth exponent`,
    unit: '',
    budget: 1.15,
    samples: samples.map(exponentOf),
    note: `${costs.join(', ')}${note}`,
  })
}
