/**
 * A loop that feeds an agent the same task again and again, as its files have it.
 *
 * There are several kinds in use. Each is an adapter that reads where the loop is, and says which of its
 * files may hold where the last session stood. It changes nothing else, and no file of another shape.
 */

import type { ResumePoint } from './resume.ts'

export type DialectName = 'ralph-state' | 'ralph-loop-plugin' | 'prd' | 'fix-plan'

/** Text of a file, by its path from the top of the worktree; undefined where there is none. */
export type ReadText = (path: string) => string | undefined

export interface Loop {
  readonly dialect: DialectName
  /** The file that it was found by. */
  readonly file: string
  readonly iteration: number | undefined
  /** Undefined where there is none. */
  readonly maxIterations: number | undefined
  /** The item at work, else what the loop is about. */
  readonly task: string | undefined
  /** The agent's session that the loop belongs to. */
  readonly session: string | undefined
  /** All iterations are one session of the agent: its context is never empty again. */
  readonly isOneSession: boolean
  /** False where its files say that nothing is to be done any more. */
  readonly isAtWork: boolean
  /** Its file changes with each iteration: one that is as it was committed is a loop that once was. */
  readonly isState: boolean
}

/** What most kinds of loops say nothing of. */
export const PLAIN_LOOP = {
  iteration: undefined,
  maxIterations: undefined,
  session: undefined,
  isOneSession: false,
  isState: false,
} as const

/** A file of this kind's name in another shape. */
export interface ForeignLoop {
  readonly dialect: DialectName
  readonly file: string
  /** Why it is left alone. */
  readonly why: string
}

export interface Handover {
  readonly point: ResumePoint
  /** Queries of a memory tool to begin with. */
  readonly memory: readonly string[]
  /** Local, `2026-01-07 11:45`. */
  readonly when: string
  /** The session that hands over. */
  readonly session: string | undefined
  /** What a loop of our own gives its agent, from the top of the worktree. */
  readonly prompt: string
}

/** A file as it is to be. */
export interface Edit {
  readonly path: string
  /** Undefined: it goes. */
  readonly text: string | undefined
}

export interface Dialect {
  /** All that it reads. */
  readonly files: readonly string[]
  /** Undefined where no such loop is here. */
  find(read: ReadText): Loop | ForeignLoop | undefined
  /** What hands over to the next iteration; nothing where the loop is not `find`'s. */
  resume(read: ReadText, handover: Handover): Edit[]
  /** What takes that back, once the next iteration has gone on. */
  clear(read: ReadText): Edit[]
}

export function isForeign(loop: Loop | ForeignLoop): loop is ForeignLoop {
  return 'why' in loop
}

/** The edit of one file; none where nothing changes or there is no file. */
export function editOf(
  read: ReadText,
  path: string,
  change: (text: string) => string | undefined,
): Edit[] {
  const before = read(path)
  if (before === undefined) return []
  const text = change(before)
  return text === undefined || text === before ? [] : [{ path, text }]
}
