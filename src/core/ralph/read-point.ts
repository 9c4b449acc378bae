/** Reads the document of a checkpoint, whoever wrote it, as the point from which the next iteration continues. */

import type { ReadHandoff } from '../context/handoff-document.ts'
import { NONE_RECORDED } from '../context/handoff-document.ts'
import { LEVELS } from '../context/level.ts'
import type { ResumePoint } from './resume.ts'

/** `timestamp`: when the document was found, ISO 8601. */
export function readPoint(handoff: ReadHandoff, path: string, timestamp: string): ResumePoint {
  const [, level, percent] =
    /^Context Checkpoint(?: (L[0-3]))?(?: at (\d{1,3})%)?/.exec(handoff.title) ?? []
  const [now, next, current] = ['Now', 'Next Steps', 'Current Item'].map((title) =>
    itemOf(handoff.section(title)[0]),
  )
  const { item, progress } = progressOf(current)
  return {
    timestamp,
    level: LEVELS.find((one) => one === level) ?? 'unknown',
    percent: percent === undefined ? undefined : Number(percent),
    handoffFile: path,
    summary: now ?? (next === NONE_RECORDED ? undefined : next),
    files: handoff.section('Modified Files').flatMap((line) => fileOf(itemOf(line))),
    item,
    progress,
  }
}

function itemOf(line: string | undefined): string | undefined {
  return line?.replace(/^(?:[-*]|\d+\.|\[->\])\s+/, '')
}

/** `Wire the form (70%)` */
function progressOf(text: string | undefined): Pick<ResumePoint, 'item' | 'progress'> {
  const [, item, progress] =
    /^(.*\S) \((\d{1,3}%|\d+ of \d+(?: to-dos done)?)\)$/.exec(text ?? '') ?? []
  return { item: item ?? text, progress }
}

/** `src/profile.tsx (lines 45-120)`. The line for omitted files (`… and 3 more`) is not a file. */
function fileOf(text: string | undefined): ResumePoint['files'] {
  if (text === undefined || /^… and \d+ more$/.test(text)) return []
  const [, path, lines] = /^(.*\S) \(lines ([\d-]+)\)$/.exec(text) ?? []
  return [{ path: path ?? text, lines }]
}
