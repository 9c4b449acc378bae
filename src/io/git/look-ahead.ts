/**
 * What the launcher has asked git for while Node was starting (`look_ahead` in `githooks/run`).
 *
 * Lines, then an empty line, then what `git cat-file --batch` says to the expressions among them:
 *
 *     merge-base THEIRS BASE…      every best common ancestor of HEAD and THEIRS
 *     index-equals-head STATUS     of `git diff-index --cached --quiet HEAD` on the ledger's paths
 *     =EXPRESSION                  one a line, in the order of the answers
 *
 * Nothing depends on it: what is not in it, git is asked for again.
 */

import { readFileSync } from 'node:fs'
import type { GitObject } from '../../app/ports.ts'
import { readBatch } from './batch-output.ts'

export interface LookAhead {
  /** By expression; undefined for one that names nothing. */
  readonly objects: ReadonlyMap<string, GitObject | undefined>
  /** By THEIRS. */
  readonly mergeBases: ReadonlyMap<string, readonly string[]>
  readonly indexEqualsHead: boolean
}

/** Reads standard input, if the launcher says that it is one; undefined otherwise. */
export function readLookAhead(env: NodeJS.ProcessEnv): LookAhead | undefined {
  if (env['LEDGER_GIT_LOOK_AHEAD'] !== '1') return undefined
  try {
    return parseLookAhead(readFileSync(0))
  } catch {
    return undefined
  }
}

export function parseLookAhead(bytes: Buffer): LookAhead | undefined {
  const end = bytes.indexOf('\n\n')
  if (end === -1) return undefined
  const lines = bytes.toString('utf8', 0, end).split('\n')
  const names = lines.filter((line) => line.startsWith('=')).map((line) => line.slice(1))
  const answers = readBatch(bytes.subarray(end + 2), names.length)
  if (answers === undefined) return undefined
  const words = lines.map((line) => line.split(' '))
  const bases = words.filter(([first, theirs]) => first === 'merge-base' && theirs !== undefined)
  return {
    objects: new Map(names.map((name, i) => [name, answers[i]])),
    mergeBases: new Map(bases.map(([, theirs = '', ...oids]) => [theirs, oids])),
    indexEqualsHead: lines.includes('index-equals-head 0'),
  }
}
