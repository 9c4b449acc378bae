/** What a work-in-progress commit may contain: only the session's own versions of files. Pure. */

import type { Blob, MarkedEntry } from '../commit/commit-mark.ts'
import { isSame } from '../commit/commit-mark.ts'
import { nameOfPath } from '../shadow/shadow-paths.ts'
import type { Level } from './level.ts'

export interface WorkFile {
  /** Path from the top of the worktree. */
  readonly path: string
  /** The session's version; undefined if it deleted the file. */
  readonly own: Blob | undefined
  readonly head: Blob | undefined
  readonly index: Blob | undefined
  /** The file already differed from HEAD before the session touched it. */
  readonly isOthersToo: boolean
}

export interface NotInIt {
  readonly path: string
  readonly why: string
}

export interface WipPlan {
  readonly entries: readonly MarkedEntry[]
  readonly leftOut: readonly NotInIt[]
}

const SUBMODULE = '160000'

/** Each file goes in as the session left it, or not at all. Files that equal HEAD's version are skipped. */
export function planWip(files: readonly WorkFile[]): WipPlan {
  const entries: MarkedEntry[] = []
  const leftOut: NotInIt[] = []
  for (const { path, own, head, index, isOthersToo } of files) {
    if (isSame(own, head)) continue
    const isStagedOtherwise = !isSame(index, head) && !isSame(index, own)
    if (own?.mode === SUBMODULE) leftOut.push({ path, why: 'a submodule' })
    else if (isStagedOtherwise) leftOut.push({ path, why: 'staged otherwise' })
    else if (isOthersToo) leftOut.push({ path, why: 'changed before the session, too' })
    else {
      const isClean = isSame(index, head)
      entries.push({ path: nameOfPath(path), before: index, isClean, after: own })
    }
  }
  return { entries, leftOut }
}

export interface WipSubject {
  readonly issue: string | undefined
  /** Iteration of a loop; undefined outside a loop. */
  readonly iteration: number | undefined
  readonly level: Level | 'unknown'
  /** Percent of the window. */
  readonly percent: number | undefined
}

/** `[WIP] ANV-123 - checkpoint`, or in a loop `ralph: checkpoint iter 4 (L2 at 85%)`. */
export function wipSubject({ issue, iteration, level, percent }: WipSubject): string {
  if (iteration === undefined) return `[WIP] ${issue === undefined ? '' : `${issue} - `}checkpoint`
  const at = percent === undefined ? '' : ` at ${percent}%`
  return `ralph: checkpoint iter ${iteration}${level === 'unknown' ? '' : ` (${level}${at})`}`
}

/** Identifies a work-in-progress commit as ours, whatever its subject says. */
const TRAILER = 'Ledger-Work-In-Progress'

export function wipMessage(subject: string, session: string): string {
  return `${subject}\n\n${TRAILER}: ${session}`
}

/** The session that a message's trailer names; undefined for any other commit. */
export function wipSession(message: string): string | undefined {
  return new RegExp(`^${TRAILER}: (\\S+)\\s*$`, 'm').exec(message)?.[1]
}
