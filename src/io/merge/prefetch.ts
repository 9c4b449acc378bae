/**
 * What the launcher has asked git for while Node was starting (`look_ahead` in `githooks/run`).
 *
 * Lines, then an empty line, then what `git cat-file --batch` says to the expressions among them:
 *
 *     merge-base THEIRS BASE…      every best common ancestor of HEAD and THEIRS
 *     merged THEIRS BASE TREE      what git has made of their `events/` and HEAD's
 *     :… MODE … ID STATUS\tNAME    of `git diff-tree`, from HEAD's `events/` to that tree
 *     texts BASE OURS THEIRS       blob ids of the files that git has handed over
 *     index-equals-head STATUS     of `git diff-index --cached --quiet HEAD` on the ledger's paths
 *     =EXPRESSION                  one a line, in the order of the answers
 *
 * Nothing depends on it: what is not in it, git is asked for again.
 */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { GitObject } from '../../app/ports.ts'
import type { TreeEntry } from '../../core/git/objects.ts'
import { emptyTreeOid, formatOfOid, nameToText } from '../../core/git/objects.ts'
import { isLeft } from '../files/left-behind.ts'
import { readBatch } from '../objects/batch-output.ts'

export interface LookAhead {
  /** By expression; undefined for one that names nothing. */
  readonly objects: ReadonlyMap<string, GitObject | undefined>
  /** By THEIRS. */
  readonly mergeBases: ReadonlyMap<string, readonly string[]>
  readonly indexEqualsHead: boolean
  readonly merged: MergedByGit | undefined
  /** Blob ids. */
  readonly texts:
    | { readonly base: string; readonly ours: string; readonly theirs: string }
    | undefined
}

/** The `events/` of a merge of HEAD and `theirs`; these and `base` are commits. */
export interface MergedByGit {
  readonly base: string
  readonly theirs: string
  readonly eventsTree: string
  /** Its entries besides HEAD's; undefined where it is not HEAD's and others. */
  readonly added: readonly TreeEntry[] | undefined
}

/** Reads standard input, if the launcher says that it is one, to its end; undefined otherwise. */
export function readLookAhead(env: NodeJS.ProcessEnv): LookAhead | undefined {
  if (env['LEDGER_GIT_LOOK_AHEAD'] !== '1') return undefined
  try {
    return parseLookAhead(readFileSync(0))
  } catch {
    return undefined
  } finally {
    removeScratch(env['LEDGER_GIT_SCRATCH'])
  }
}

/** The index in which git merged, a program less for the launcher to start; and what killed ones left. */
function removeScratch(path: string | undefined): void {
  if (path === undefined) return
  const folder = dirname(path)
  try {
    for (const name of readdirSync(folder).filter((name) => name.startsWith('merge-'))) {
      if (name === basename(path) || isLeft(`${folder}/${name}`))
        rmSync(`${folder}/${name}`, { force: true })
    }
  } catch {
    // no folder, or not ours to clean
  }
}

export function parseLookAhead(bytes: Buffer): LookAhead | undefined {
  const end = bytes.indexOf('\n\n')
  if (end === -1) return undefined
  const lines = bytes.toString('latin1', 0, end).split('\n') // names are bytes
  const names = lines
    .filter((line) => line.startsWith('='))
    .map((line) => nameToText(line.slice(1)))
  const answers = readBatch(bytes.subarray(end + 2), names.length)
  if (answers === undefined) return undefined
  const words = lines.map((line) => line.split(' '))
  const bases = words.filter(([first, theirs]) => first === 'merge-base' && theirs !== undefined)
  return {
    objects: new Map(names.map((name, i) => [name, answers[i]])),
    mergeBases: new Map(bases.map(([, theirs = '', ...oids]) => [theirs, oids])),
    indexEqualsHead: lines.includes('index-equals-head 0'),
    merged: mergedByGit(words, lines),
    texts: textIds(words),
  }
}

function mergedByGit(
  words: readonly string[][],
  lines: readonly string[],
): MergedByGit | undefined {
  const [found, ...others] = words.filter(([first]) => first === 'merged')
  const [, theirs, base, eventsTree] = found ?? []
  if (theirs === undefined || base === undefined || eventsTree === undefined) return undefined
  if (others.length > 0) return undefined // an octopus: each is merged into the one before
  // So git says also of an index that somebody has taken away.
  if (eventsTree === emptyTreeOid(formatOfOid(eventsTree))) return undefined
  const changes = lines.filter((line) => line.startsWith(':')).map(readAddition)
  const added = changes.filter((entry) => entry !== undefined)
  return { base, theirs, eventsTree, added: added.length === changes.length ? added : undefined }
}

/** `:000000 100644 0000000… ID A\tNAME`; a name in quotes holds what we do not unquote. */
function readAddition(line: string): TreeEntry | undefined {
  const match = /^:0+ 0?(\d+) 0+ ([0-9a-f]{40,64}) A\t([^"].*)$/s.exec(line)
  return match === null
    ? undefined
    : { mode: match[1] ?? '', oid: match[2] ?? '', name: match[3] ?? '' }
}

function textIds(words: readonly string[][]): LookAhead['texts'] {
  const [, base, ours, theirs] = words.find(([first]) => first === 'texts') ?? []
  return base !== undefined && ours !== undefined && theirs !== undefined
    ? { base, ours, theirs }
    : undefined
}
