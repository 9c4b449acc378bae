/**
 * A loop that gives an agent the same task again and again, as described by the loop's files.
 *
 * Several kinds are in use. Each has an adapter that reads the state of the loop, and knows which of its files may
 * record where the last session stopped. An adapter changes nothing else, and no file in an unknown format.
 */

import type { ResumePoint } from './resume.ts'

export type DialectName = 'ralph-state' | 'ralph-loop-plugin' | 'prd' | 'fix-plan'

/** Text of a file, by its path relative to the top of the worktree; undefined if there is no such file. */
export type ReadText = (path: string) => string | undefined

export interface Loop {
  readonly dialect: DialectName
  /** The file by which the loop was found. */
  readonly file: string
  readonly iteration: number | undefined
  /** Undefined if there is no limit. */
  readonly maxIterations: number | undefined
  /** The current item, else what the loop is about. */
  readonly task: string | undefined
  /** The agent session to which the loop belongs. */
  readonly session: string | undefined
  /** All iterations run in one agent session, so the context never becomes empty again. */
  readonly isOneSession: boolean
  /** False if the loop's files say that nothing is left to do. */
  readonly isAtWork: boolean
  /** The file changes with each iteration, so if it equals its committed version, the loop is over. */
  readonly isState: boolean
}

/** Values for the many kinds of loops that do not record these facts. */
export const PLAIN_LOOP = {
  iteration: undefined,
  maxIterations: undefined,
  session: undefined,
  isOneSession: false,
  isState: false,
} as const

/** A file with a known name but in an unknown format. */
export interface ForeignLoop {
  readonly dialect: DialectName
  readonly file: string
  /** Why the file is left alone. */
  readonly why: string
}

export interface Handover {
  readonly point: ResumePoint
  /** Queries of a memory tool to start with. */
  readonly memory: readonly string[]
  /** Local time, `2026-01-07 11:45`. */
  readonly when: string
  /** The session that hands over. */
  readonly session: string | undefined
  /** The prompt file of our own loop, relative to the top of the worktree. */
  readonly prompt: string
}

/** A change of one file. */
export interface Edit {
  readonly path: string
  /** The new text; undefined: delete the file. */
  readonly text: string | undefined
}

export interface Dialect {
  /** All files that the adapter reads. */
  readonly files: readonly string[]
  /** Undefined if there is no such loop here. */
  find(read: ReadText): Loop | ForeignLoop | undefined
  /** Edits that hand over to the next iteration; none if `find` finds no loop of this kind. */
  resume(read: ReadText, handover: Handover): Edit[]
  /** Edits that remove the handover after the next iteration has started. */
  clear(read: ReadText): Edit[]
}

export function isForeign(loop: Loop | ForeignLoop): loop is ForeignLoop {
  return 'why' in loop
}

/** The edit of one file; none if nothing changes or the file does not exist. */
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
