/**
 * What the launcher has asked git for while Node was starting (`ask_ahead` in `githooks/run`).
 *
 *     merge-base THEIRS BASE…   every best common ancestor of HEAD and the commit THEIRS
 *     index-equals-head         the index holds what HEAD holds of the ledger
 *
 * Nothing depends on it: what is not in it, git is asked for again.
 */

import { readFileSync } from 'node:fs'
import { attempt } from '../files/files.ts'

export interface Prefetched {
  readonly indexEqualsHead: boolean
  /** Best common ancestors with HEAD, by the other commit. */
  readonly mergeBases: ReadonlyMap<string, readonly string[]>
}

/** Reads standard input to its end if the launcher says that the answers are there. */
export function readPrefetched(env: NodeJS.ProcessEnv): Prefetched {
  const isAsked = env['LEDGER_GIT_PREFETCH'] === '1'
  return parsePrefetched((isAsked && attempt(() => readFileSync(0, 'latin1'))) || '')
}

/** A line that was cut off says nothing. */
export function parsePrefetched(text: string): Prefetched {
  const lines = text.split('\n').slice(0, -1)
  const answers = lines.map((line) => line.split(' ')).filter(([name]) => name === 'merge-base')
  return {
    indexEqualsHead: lines.includes('index-equals-head'),
    mergeBases: new Map(
      answers.flatMap(([, theirs = '', ...bases]) => (bases.length === 0 ? [] : [[theirs, bases]])),
    ),
  }
}
