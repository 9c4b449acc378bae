/**
 * What the launcher has asked git for while Node was starting (`ask_ahead` in `githooks/run`).
 *
 *     merge-base THEIRS BASE…   every best common ancestor of HEAD and the commit THEIRS
 *     index-equals-head         the index holds what HEAD holds of the ledger
 *     objects                   names of objects follow, an empty line, and what `git cat-file --batch` says of
 *                               them, and of more that were asked for by their ids
 *
 * Nothing depends on it: what is not in it, git is asked for again.
 */

import { readFileSync } from 'node:fs'
import type { GitObject } from '../../app/ports.ts'
import { attempt } from '../files/files.ts'
import type { ToldObjects } from '../objects/batch-reader.ts'
import { readBatch } from '../objects/batch-reader.ts'

export interface Prefetched {
  readonly indexEqualsHead: boolean
  /** Best common ancestors with HEAD, by the other commit. */
  readonly mergeBases: ReadonlyMap<string, readonly string[]>
  readonly objects: ToldObjects
}

const OBJECTS = '\nobjects\n'

/** Reads standard input to its end if the launcher says that the answers are there. */
export function readPrefetched(env: NodeJS.ProcessEnv): Prefetched {
  const isAsked = env['LEDGER_GIT_PREFETCH'] === '1'
  return parsePrefetched((isAsked && attempt(() => readFileSync(0))) || Buffer.alloc(0))
}

/** What was cut off says nothing. */
export function parsePrefetched(said: Buffer): Prefetched {
  const at = said.indexOf(OBJECTS)
  const end = at === -1 ? said.length : at + 1
  const lines = said.toString('latin1', 0, end).split('\n').slice(0, -1)
  const answers = lines.map((line) => line.split(' ')).filter(([name]) => name === 'merge-base')
  return {
    indexEqualsHead: lines.includes('index-equals-head'),
    mergeBases: new Map(
      answers.flatMap(([, theirs = '', ...bases]) => (bases.length === 0 ? [] : [[theirs, bases]])),
    ),
    objects: at === -1 ? new Map() : parseObjects(said.subarray(at + OBJECTS.length)),
  }
}

function parseObjects(said: Buffer): ToldObjects {
  const end = said.indexOf('\n\n')
  const answers = end === -1 ? [] : (readBatch(said.subarray(end + 2)) ?? [])
  const names = said.toString('utf8', 0, Math.max(0, end)).split('\n')
  return new Map([
    ...answers.flatMap((object): [string, GitObject][] => (object ? [[object.oid, object]] : [])),
    ...names.slice(0, answers.length).map((name, i) => [name, answers[i]] as const),
  ])
}
