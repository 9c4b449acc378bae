/** Interleaved measurements and their statistics. Nothing is asserted: the table shows the result. */

/** Milliseconds that `action` takes. */
export function timeOf(action) {
  const start = performance.now()
  action()
  return performance.now() - start
}

/**
 * Alternates between the subjects (A B, B A, A B, …), so that other load on the machine affects all of them
 * equally. The warm-up round is dropped. Each subject prepares, measures itself and returns milliseconds.
 *
 * @template {string} Name
 * @param {Record<Name, (round: number) => number>} subjects
 * @param {number} rounds
 * @returns {Record<Name, number[]>}
 */
export function interleave(subjects, rounds, { warmUp = true } = {}) {
  const names = Object.keys(subjects)
  const samples = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) {
      const millis = subjects[name](round)
      if (round > 0) samples[name].push(millis)
    }
  }
  return samples
}

/** Value at a fraction of the sorted samples, interpolated between neighbours. */
function quantile(samples, fraction) {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * fraction
  const below = sorted[Math.floor(at)]
  const above = sorted[Math.ceil(at)]
  return below + (above - below) * (at - Math.floor(at))
}

export const median = (samples) => quantile(samples, 0.5)

export function summaryOf(samples) {
  return {
    runs: samples.length,
    min: Math.min(...samples),
    q1: quantile(samples, 0.25),
    median: median(samples),
    q3: quantile(samples, 0.75),
  }
}

/** `combine` applied to the medians, with the quartiles of `combine` over the rounds. */
export function compare(ours, floor, combine) {
  const pairs = ours.map((millis, i) => combine(millis, floor[i]))
  return {
    value: combine(median(ours), median(floor)),
    low: quantile(pairs, 0.25),
    high: quantile(pairs, 0.75),
  }
}

export const ratio = (ours, floor) => ours / floor
export const difference = (ours, floor) => ours - floor
