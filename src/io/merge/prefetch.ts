/**
 * What the launcher prefetched from git while Node was starting (`ask_ahead` in `githooks/run`).
 *
 *     merge-base THEIRS BASE…   every best common ancestor of HEAD and the commit THEIRS
 *     index-equals-head         the index holds what HEAD holds of the ledger
 *     objects                   names of objects follow, an empty line, and what `git cat-file --batch` prints for
 *                               them, and for further ones that were requested by id
 *
 * Nothing depends on it: git is asked again for anything that is missing.
 */

import { readFileSync } from 'node:fs'
import type { GitObject } from '../../app/ports.ts'
import { attempt } from '../files/files.ts'
import type { PrefetchedObjects } from '../objects/batch-reader.ts'
import { readBatch } from '../objects/batch-reader.ts'

export interface Prefetched {
  readonly indexEqualsHead: boolean
  /** Best common ancestors with HEAD, by the other commit. */
  readonly mergeBases: ReadonlyMap<string, readonly string[]>
  readonly objects: PrefetchedObjects
}

const OBJECTS = '\nobjects\n'

/** Reads standard input to its end if the launcher says that it holds the answers. */
export function readPrefetched(env: NodeJS.ProcessEnv): Prefetched {
  const isAsked = env['LEDGER_GIT_PREFETCH'] === '1'
  return parsePrefetched((isAsked && attempt(() => readFileSync(0))) || Buffer.alloc(0))
}

/** Ignores what was cut off. */
export function parsePrefetched(bytes: Buffer): Prefetched {
  const at = bytes.indexOf(OBJECTS)
  const end = at === -1 ? bytes.length : at + 1
  const lines = bytes.toString('latin1', 0, end).split('\n').slice(0, -1)
  const answers = lines.map((line) => line.split(' ')).filter(([name]) => name === 'merge-base')
  return {
    indexEqualsHead: lines.includes('index-equals-head'),
    mergeBases: new Map(
      answers.flatMap(([, theirs = '', ...bases]) => (bases.length === 0 ? [] : [[theirs, bases]])),
    ),
    objects: at === -1 ? new Map() : parseObjects(bytes.subarray(at + OBJECTS.length)),
  }
}

function parseObjects(bytes: Buffer): PrefetchedObjects {
  const end = bytes.indexOf('\n\n')
  const answers = end === -1 ? [] : (readBatch(bytes.subarray(end + 2)) ?? [])
  const names = bytes.toString('utf8', 0, Math.max(0, end)).split('\n')
  return new Map([
    ...answers.flatMap((object): [string, GitObject][] => (object ? [[object.oid, object]] : [])),
    ...names.slice(0, answers.length).map((name, i) => [name, answers[i]] as const),
  ])
}
