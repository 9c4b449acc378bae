/** The line that a terminal shows below the agent's prompt. */

import type { Boundaries, Level } from './level.ts'
import { isAtLeast } from './level.ts'
import type { ContextRecord } from './record.ts'
import { standing } from './record.ts'
import { foldLine } from '../text/markdown-to-text.ts'

export interface StatusLine {
  /** Percent of the window, as the agent counts; undefined before the first reply. */
  readonly percent: number | undefined
  readonly level: Level | 'unknown'
  readonly issue?: string | undefined
  readonly phase?: string | undefined
  /** `Ready` if a checkpoint is due, else the local time of the last one. */
  readonly checkpoint?: string | undefined
}

/**
 * The status line of a session. `record`: what hooks know; `percent`: what the agent just reported. From L1 on a
 * checkpoint is `Ready` until one was written at that level. `localTime` formats an ISO 8601 time as `HH:MM`.
 */
export function statusLineOf(
  record: ContextRecord,
  { percent }: { readonly percent: number | undefined },
  boundaries: Boundaries,
  localTime: (iso: string) => string,
): StatusLine {
  const level = standing(record, boundaries)?.level ?? 'unknown'
  const last = record.checkpoints.at(-1)
  const isReady = level !== 'unknown' && isAtLeast(level, 'L1') && last?.level !== level
  const checkpoint = isReady ? 'Ready' : last && localTime(last.timestamp)
  return { percent, level, checkpoint }
}

const CELLS = 10
const MARKS: Readonly<Record<string, string>> = { L1: ' ⚠️ L1', L2: ' ⚠️ L2', L3: ' 🔴 L3' }

/** `[CTX: ████████░░ 82% ⚠️ L2] [ISSUE: ANV-123] [PHASE: IMPL] [CKPT: Ready]`; unknown parts are left out. */
export function renderStatusLine(line: StatusLine): string {
  const { percent, level } = line
  const context =
    percent === undefined
      ? `CTX: ${'░'.repeat(CELLS)} ?`
      : `CTX: ${bar(percent)} ${percent}%${MARKS[level] ?? ''}`
  const rest = { ISSUE: line.issue, PHASE: line.phase, CKPT: line.checkpoint }
  const parts = Object.entries(rest).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}: ${foldLine(value)}`],
  )
  return [context, ...parts].map((part) => `[${part}]`).join(' ')
}

function bar(percent: number): string {
  const full = Math.min(Math.max(Math.floor((percent * CELLS) / 100), 0), CELLS)
  return '█'.repeat(full) + '░'.repeat(CELLS - full)
}
