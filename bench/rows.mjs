/** The kinds of rows in the table. */

import { compare, difference, ratio, summaryOf } from './measure.mjs'

const millis = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`

/** Ours as a multiple of the floor. Without a `budget`, the row is for information only. */
export function ratioRow({ work, budget, ours, floor, note }) {
  const sides = { ours: summaryOf(ours), floor: summaryOf(floor) }
  return {
    work,
    unit: '×',
    ...judged(compare(ours, floor, ratio), budget),
    note: joined(`${millis(sides.ours.median)} to ${millis(sides.floor.median)}`, note),
    ...sides,
  }
}

/** Ours minus the floor, in milliseconds. */
export function differenceRow({ work, budget, ours, floor, note }) {
  const sides = { ours: summaryOf(ours), floor: summaryOf(floor) }
  return {
    work,
    unit: 'ms',
    ...judged(compare(ours, floor, difference), budget),
    note: joined(`${millis(sides.ours.median)} to ${millis(sides.floor.median)}`, note),
    ...sides,
  }
}

/** Samples that need no floor: memory, an exponent. */
export function valueRow({ work, unit, budget, samples, note }) {
  const { q1, median, q3 } = summaryOf(samples)
  return { work, unit, ...judged({ value: median, low: q1, high: q3 }, budget), note }
}

/** A row that this run could not measure, with the reason. */
export function unmeasuredRow({ work, budget, unit = '×', why }) {
  return {
    work,
    unit,
    budget: budget ?? null,
    value: null,
    low: null,
    high: null,
    ok: null,
    note: why,
  }
}

function judged({ value, low, high }, budget) {
  return {
    budget: budget ?? null,
    value,
    low,
    high,
    ok: budget === undefined ? null : value <= budget,
  }
}

function joined(...notes) {
  return notes.filter((note) => note !== undefined && note !== '').join('; ')
}
