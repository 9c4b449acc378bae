/** Loops as text. */

import type { ForeignLoop, Loop } from '../../core/ralph/loop.ts'
import { isForeign } from '../../core/ralph/loop.ts'
import type { IterationContext } from '../../core/ralph/ralph-state.ts'
import { members, safePath, safeText } from '../command/format.ts'

/** `iteration 4: context up to 88%, checkpoint` */
export function iterationLine({ iteration, peak_percent, checkpoint }: IterationContext): string {
  const peak = peak_percent === null ? 'context unknown' : `context up to ${peak_percent}%`
  return `iteration ${iteration}: ${peak}${checkpoint ? ', checkpoint' : ''}`
}

export function loopLine(loop: Loop | ForeignLoop): string {
  const name = `${loop.dialect} (${safePath(loop.file)})`
  if (isForeign(loop)) return `${name}: left alone, ${loop.why}`
  const { iteration, maxIterations, task } = loop
  const of = maxIterations === undefined ? '' : ` of ${maxIterations}`
  const at = iteration === undefined ? [] : [`iteration ${iteration}${of}`]
  return `${name}: ${[...at, ...(task === undefined ? [] : [safeText(task)])].join(', ') || 'here'}`
}

export function loopJson(loop: Loop | ForeignLoop) {
  return isForeign(loop)
    ? { dialect: loop.dialect, file: loop.file, left_alone: loop.why }
    : {
        ...members(loop, 'dialect', 'file', 'iteration', 'maxIterations', 'task', 'session'),
        one_session: loop.isOneSession,
      }
}
