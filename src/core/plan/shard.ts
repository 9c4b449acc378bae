/**
 * Divides a plan into shards that one session each can do. Pure.
 *
 * Invariants:
 * - No task and no text is lost, and the order is kept.
 * - A shard is below the limit unless a single task is above it.
 * - A plan below the limit is its own only shard, so a shard of a shard is that shard.
 * - Ticking a box moves no cut.
 */

import type { Rates } from '../estimate/work.ts'
import { estimateTokens } from '../estimate/work.ts'
import { shorten } from '../text/markdown-to-text.ts'
import { partition } from './partition.ts'
import type { Plan, Unit } from './plan.ts'
import { isOpen } from './plan.ts'
import type { FileSizes } from './plan-work.ts'
import { runTokens, wholeWork } from './plan-work.ts'
import { overheadOf, renderShard } from './shard-text.ts'

export interface Shard {
  readonly title: string
  readonly tokens: number
  readonly units: readonly Unit[]
  /** The shard is above the limit, because a single task is. */
  readonly isTooLarge: boolean
  /** Number of tasks. Sections count as tasks if there are none. */
  readonly tasks: number
  readonly done: number
  /** The whole file. */
  readonly text: string
}

export interface ShardRequest {
  /** Maximum tokens per shard. */
  readonly limit: number
  /** Number of shards; undefined: as few as the limit allows. */
  readonly into: number | undefined
  /** The plan's path, as written in the shards. */
  readonly parent: string
  readonly sizes: FileSizes
  readonly rates: Rates
}

export function shardPlan(plan: Plan, source: string, request: ShardRequest): Shard[] {
  const { limit, into, sizes, rates, parent } = request
  const { units } = plan
  const whole = estimateTokens(wholeWork(plan, sizes), rates)
  if (units.length < 2 || (into === undefined ? whole <= limit : into < 2)) {
    return [shardOf({ title: plan.title, tokens: whole, units, text: source }, limit)]
  }
  const tokensOf = runTokens(plan, sizes, rates, overheadOf(plan, parent))
  const row = {
    length: units.length,
    of: tokensOf,
    breakpoint: (at: number) => units[at]?.breakpoint ?? 0,
  }
  const starts = partition(row, limit, into)
  const runs = starts.map((from, i) => ({ from, to: starts[i + 1] ?? units.length }))
  const titles = runs.map(({ from, to }) => titleOfRun(units, from, to))
  return runs.map(({ from, to }, i) => {
    const [tokens, title] = [tokensOf(from, to), titles[i] ?? '']
    const before = i === 0 ? [] : units.slice(runs[i - 1]?.from, from)
    const about = { parent, number: i + 1, count: runs.length, title, tokens }
    const text = renderShard(plan, units.slice(from, to), before, about)
    return shardOf({ title, tokens, units: units.slice(from, to), text }, limit)
  })
}

function shardOf(shard: Pick<Shard, 'title' | 'tokens' | 'units' | 'text'>, limit: number): Shard {
  const { units, tokens } = shard
  const done = units.filter((unit) => !isOpen(unit)).length
  return { ...shard, tasks: units.length, done, isTooLarge: tokens > limit }
}

/** The groups in a shard. If it shares a group with another shard, also its tasks. */
function titleOfRun(units: readonly Unit[], from: number, to: number): string {
  const run = units.slice(from, to)
  const groups = [...new Set(run.map(({ group }) => group))].filter((group) => group !== '')
  const [first = '', last = ''] = [groups[0], groups.at(-1)].map((group) =>
    shorten(group ?? '', 60),
  )
  const names = groups.length < 2 ? first : `${first} to ${last}`
  const isShared =
    units[from - 1]?.group === run[0]?.group || units[to]?.group === run.at(-1)?.group
  if (names !== '' && !isShared) return names
  const tasks = taskRange(run)
  return names === '' ? tasks : `${names}, ${tasks}`
}

function taskRange(run: readonly Unit[]): string {
  const [first = '', last = ''] = [run[0], run.at(-1)].map((unit) => {
    const { id, title = `line ${unit?.line ?? 0}` } = unit?.task ?? {}
    return id ?? shorten(title, 60)
  })
  const name = first === last ? first : `${first} to ${last}`
  return /^\d/.test(name) ? `task ${name}` : name
}
