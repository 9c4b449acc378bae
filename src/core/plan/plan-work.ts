/** How much of a context a plan, or a run of its units, will take. Pure. */

import { namedPaths } from '../estimate/named-files.ts'
import type { Rates, Work } from '../estimate/work.ts'
import { fileTokens, sumTokens } from '../estimate/work.ts'
import type { Plan, Unit } from './plan.ts'
import { isOpen } from './plan.ts'
import { stepsInText } from './read-markdown.ts'

/** Sizes in bytes of existing files, by the path that names them. */
export type FileSizes = ReadonlyMap<string, number>

/** All paths that the plan names, whether they exist or not. */
export function pathsIn({ preamble, units }: Plan): string[] {
  return [...new Set([preamble, ...units.map(({ text }) => text)].flatMap(namedPaths))]
}

/** The remaining work: the whole text is read, but only open tasks are worked on. */
export function openWork(plan: Plan, sizes: FileSizes): Work {
  return workOf(plan, plan.units, plan.units.filter(isOpen), sizes)
}

/** The whole work, regardless of progress, so that ticking a box moves no cut. */
export function wholeWork(plan: Plan, sizes: FileSizes): Work {
  return workOf(plan, plan.units, plan.units, sizes)
}

function workOf(
  { head, given, preamble }: Plan,
  read: readonly Unit[],
  done: readonly Unit[],
  sizes: FileSizes,
): Work {
  const characters = [head, given, ...read.map(({ text }) => text)]
  return {
    characters: characters.reduce((sum, { length }) => sum + length, 0),
    steps: done.reduce((sum, { steps }) => sum + steps, 0),
    files: filesIn([preamble, ...done.map(({ text }) => text)], sizes),
  }
}

/** The work for a task described in free text. */
export function textWork(text: string, sizes: FileSizes): Work {
  const steps = Math.max(1, stepsInText(text))
  return { characters: text.length, steps, files: filesIn([text], sizes) }
}

export function filesIn(texts: readonly string[], sizes: FileSizes): Map<string, number> {
  return new Map(
    texts.flatMap(namedPaths).flatMap((path) => {
      const size = sizes.get(path)
      return size === undefined ? [] : [[path, size]]
    }),
  )
}

/**
 * Returns a function for the tokens of each run of units as a shard: `of(from, to)`, `to` excluded. `beside`: number of
 * characters that precede a shard's own part.
 */
export function runTokens(
  { preamble, units }: Pick<Plan, 'preamble' | 'units'>,
  sizes: FileSizes,
  rates: Rates,
  beside: number,
): (from: number, to: number) => number {
  const shared = filesIn([preamble], sizes)
  const own = units.map(({ text }) => filesIn([text], sizes))
  const tokensIn = (files: Iterable<number>) =>
    [...files].reduce((sum, bytes) => sum + fileTokens(bytes, rates), 0)
  const rows = new Map<number, Run>()
  return (from, to) => {
    const run = rows.get(from) ?? {
      seen: new Set(shared.keys()),
      characters: beside,
      steps: 0,
      fileTokens: tokensIn(shared.values()),
      tokens: [],
    }
    rows.set(from, run)
    for (let at = from + run.tokens.length; at < to; at++) {
      const files = [...(own[at] ?? [])].filter(([path]) => !run.seen.has(path))
      for (const [path] of files) run.seen.add(path)
      run.characters += units[at]?.text.length ?? 0
      run.steps += units[at]?.steps ?? 0
      run.fileTokens += tokensIn(files.map(([, bytes]) => bytes))
      run.tokens.push(sumTokens(run, rates))
    }
    return run.tokens[to - from - 1] ?? 0
  }
}

/** The runs that begin at one unit, as far as they have been summed up. */
interface Run {
  readonly seen: Set<string>
  characters: number
  steps: number
  fileTokens: number
  /** For one unit, for two, and so on. */
  readonly tokens: number[]
}
