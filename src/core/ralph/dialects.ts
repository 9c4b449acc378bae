/** The supported kinds of loops, and the edits that a checkpoint makes to the loops found here. */

import { fixPlanLoop } from './fix-plan-loop.ts'
import type { Dialect, Edit, ForeignLoop, Handover, Loop, ReadText } from './loop.ts'
import { isForeign } from './loop.ts'
import { pluginLoop } from './plugin-loop.ts'
import { prdLoop } from './prd-loop.ts'
import { stateLoop } from './state-loop.ts'

export const DIALECTS: readonly Dialect[] = [stateLoop, pluginLoop, prdLoop, fixPlanLoop]

/** Files that must be read before loops can be found. */
export const LOOP_FILES: readonly string[] = DIALECTS.flatMap(({ files }) => files)

/** All loops found here, including those that are left alone. */
export function findLoops(read: ReadText): (Loop | ForeignLoop)[] {
  return DIALECTS.map((dialect) => dialect.find(read)).filter((loop) => loop !== undefined)
}

export function resumeEdits(
  read: ReadText,
  handover: Handover,
  isTold: (loop: Loop) => boolean,
): Edit[] {
  return DIALECTS.filter((dialect) => {
    const loop = dialect.find(read)
    return loop !== undefined && !isForeign(loop) && isTold(loop)
  }).flatMap((dialect) => dialect.resume(read, handover))
}

export function clearEdits(read: ReadText): Edit[] {
  return DIALECTS.flatMap((dialect) => dialect.clear(read))
}
