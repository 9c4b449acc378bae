/** A loop around `PROMPT.md` whose state is in `.claude/ralph-state.json`. */

import type { Dialect, Handover, ReadText } from './loop.ts'
import { editOf, PLAIN_LOOP } from './loop.ts'
import { titleOfPrompt } from './prompt.ts'
import { RALPH_STATE, readRalphState, withoutWaiting, withWaiting } from './ralph-state.ts'
import { putResume, takeResume } from './resume-block.ts'
import { resumeLines } from './resume.ts'

export const PROMPT = 'PROMPT.md'

export const stateLoop: Dialect = {
  files: [RALPH_STATE, PROMPT],

  find(read) {
    const text = read(RALPH_STATE)
    if (text === undefined) return undefined
    const about = { dialect: 'ralph-state', file: RALPH_STATE } as const
    const state = readRalphState(text)
    if (state === undefined) return { ...about, why: 'it does not have the format of this kind' }
    const { iteration, maxIterations, checkpoint, isActive } = state
    const prompt = read(PROMPT)
    return {
      ...PLAIN_LOOP,
      ...about,
      iteration,
      maxIterations,
      task: checkpoint?.item ?? (prompt === undefined ? undefined : titleOfPrompt(prompt)),
      isState: true,
      isAtWork: isActive,
    }
  },

  resume(read, { point, memory, prompt }: Handover) {
    if (!isOurs(read)) return []
    return [
      ...editOf(read, prompt, (text) => putResume(text, resumeLines(point, memory))),
      ...editOf(read, RALPH_STATE, (text) => withWaiting(text, point)),
    ]
  },

  clear(read) {
    if (!isOurs(read)) return []
    return [
      ...editOf(read, PROMPT, (text) => takeResume(text)),
      ...editOf(read, RALPH_STATE, withoutWaiting),
    ]
  },
}

function isOurs(read: ReadText): boolean {
  const text = read(RALPH_STATE)
  return text !== undefined && readRalphState(text) !== undefined
}
