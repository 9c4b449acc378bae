/**
 * The traces that git leaves of the merge it is making.
 *
 * While the driver runs, there is no MERGE_HEAD, and the index and the worktree hold one side only. These are the
 * traces of the other commit. None of them is trusted before its `current.md` has been compared (see
 * `app/merge/merge-sides.ts`).
 */

import { existsSync, readFileSync } from 'node:fs'
import { attempt } from '../files/files.ts'
import type { MergeClue } from '../../app/merge/merge-sides.ts'

export interface Labels {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/** Collects clues, the most reliable first. `labels` are git's `%S %X %Y` (literal before git 2.44). */
export function collectClues(gitDir: string, env: NodeJS.ProcessEnv, labels: Labels): MergeClue[] {
  const lines = (...names: string[]) => readLines([gitDir, ...names].join('/'))
  const clue = (kind: MergeClue['kind']) => (theirs: string) => ({ kind, commit: theirs })
  const heads = Object.keys(env)
    .filter((key) => /^GITHEAD_[0-9a-f]{40,64}$/.test(key))
    .map((key) => key.slice('GITHEAD_'.length))
  const done = lines('rebase-merge', 'done').at(-1)
  const todo = lines('sequencer', 'todo')[0]
  return [
    ...heads.map(clue('merge')),
    ...todoClue(done).map((clue) => ({ ...clue, isRebased: true })),
    ...lines('rebase-apply', 'original-commit').slice(0, 1).map(clue('pick')),
    ...todoClue(todo),
    ...labelClues(labels),
    ...lines('MERGE_HEAD').map(clue('merge')),
    ...lines('CHERRY_PICK_HEAD').map(clue('pick')),
    ...lines('REVERT_HEAD').map(clue('revert')),
    ...lines('rebase-merge', 'autostash').map(clue('pick')),
    ...lines('rebase-apply', 'autostash').map(clue('pick')),
    ...lines('MERGE_AUTOSTASH').map(clue('pick')),
    { kind: 'pick', commit: 'refs/stash' },
  ]
}

/** True while a command that merges into a worktree runs: it locks the index. */
export function isIndexLocked(gitDir: string, env: NodeJS.ProcessEnv): boolean {
  return existsSync(`${env['GIT_INDEX_FILE'] ?? `${gitDir}/index`}.lock`)
}

/** A line of a rebase or sequencer list: `pick <oid> …`, `revert <oid> …`, `fixup -C <oid> …`. */
function todoClue(line: string | undefined): MergeClue[] {
  const match = /^([a-z]+)\s+(?:-[cC]\s+)?([0-9a-f]{7,64})\b/.exec(line ?? '')
  if (match === null) return []
  const [, command, commit = ''] = match
  if (command === 'merge') return [] // rebase --rebase-merges sets MERGE_HEAD
  return [{ kind: command === 'revert' ? 'revert' : 'pick', commit }]
}

/** `abc1234 (subject)`, `parent of abc1234 (subject)`, or what the user typed. */
function labelClues({ base, theirs }: Labels): MergeClue[] {
  const picked = /^([0-9a-f]{7,64}) \(/.exec(theirs)?.[1]
  if (picked !== undefined) return [{ kind: 'pick', commit: picked }]
  const reverted = /^parent of ([0-9a-f]{7,64}) \(/.exec(theirs)?.[1]
  if (reverted !== undefined) return [{ kind: 'revert', commit: reverted }]
  if (!/^[\w][\w./@{}~^-]*$/.test(theirs)) return []
  if (/^parent of [0-9a-f]{7,64}$/.test(base)) return [{ kind: 'pick', commit: theirs }]
  const mergeBase = /^[0-9a-f]{7,64}$/.test(base) ? base : undefined
  return [
    { kind: 'merge', commit: theirs, ...(mergeBase === undefined ? {} : { base: mergeBase }) },
  ]
}

function readLines(path: string): string[] {
  if (!existsSync(path)) return [] // the usual case; an exception would cost more
  const text = attempt(() => readFileSync(path, 'utf8')) ?? ''
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
