/**
 * What the launcher has asked git for while Node was starting (`ask_ahead` in `githooks/run`).
 *
 *     merge-base HEAD THEIRS BASE…   every best common ancestor of the commits HEAD and THEIRS
 *     index-equals-head              the index holds what HEAD holds of the ledger
 *
 * Nothing depends on it: what is not in it, git is asked for again.
 */

import { readFileSync } from 'node:fs'

export interface Prefetched {
  readonly indexEqualsHead: boolean
  /** Undefined where that was not asked. */
  mergeBases(ours: string, theirs: string): string[] | undefined
}

/** Reads standard input to its end if the launcher says that the answers are there. */
export function readPrefetched(env: NodeJS.ProcessEnv): Prefetched {
  return parsePrefetched(env['LEDGER_GIT_PREFETCH'] === '1' ? readInput() : '')
}

function readInput(): string {
  try {
    return readFileSync(0, 'latin1')
  } catch {
    return ''
  }
}

/** A line that was cut off says nothing. */
export function parsePrefetched(text: string): Prefetched {
  const lines = text.split('\n').slice(0, -1)
  const answers = lines.map((line) => line.split(' ')).filter(([name]) => name === 'merge-base')
  return {
    indexEqualsHead: lines.includes('index-equals-head'),
    mergeBases: (ours, theirs) => {
      const [, , , ...bases] = answers.find(([, a, b]) => a === ours && b === theirs) ?? []
      return bases.length === 0 ? undefined : bases
    },
  }
}
