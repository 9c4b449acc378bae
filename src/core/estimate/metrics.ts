/**
 * How well work continues across sessions, by the success metrics that context checkpoints were designed for. Pure.
 *
 * Two of the targets are changes, so each metric is given for all sessions, and for the older and the newer half.
 */

/** Measurements from one session's transcript and to-do list. */
export interface MeasuredSession {
  readonly autoCompactions: number
  /** Tokens that automatic compactions removed from the context, as far as the transcript says. */
  readonly tokensLost: number
  readonly tasksDone: number
}

export interface Checkpoints {
  readonly all: number
  /** Checkpoints that a person or an agent asked for. */
  readonly typed: number
  /** The last checkpoints of finished sessions, and others that were shown to a session. */
  readonly left: number
  /** How many of `left` were shown to a session. */
  readonly wentOn: number
}

export interface Metric {
  readonly name: string
  readonly meaning: string
  readonly target: string
  /** Undefined if there is nothing to measure. */
  readonly value: number | undefined
  readonly older: number | undefined
  readonly newer: number | undefined
}

interface Measure extends Pick<Metric, 'name' | 'meaning' | 'target'> {
  of(sessions: readonly MeasuredSession[]): number
}

const MEASURES: readonly Measure[] = [
  {
    name: 'context-lost',
    meaning: 'tokens lost to automatic compaction, per session',
    target: '80 % less',
    of: (sessions) => mean(sessions.map(({ tokensLost }) => tokensLost)),
  },
  {
    name: 'mid-task-compaction',
    meaning: 'percent of sessions that were compacted automatically',
    target: 'below 5',
    of: (sessions) =>
      100 * mean(sessions.map(({ autoCompactions }) => Math.min(1, autoCompactions))),
  },
  {
    name: 'tasks-per-session',
    meaning: 'to-dos completed, per session',
    target: '20 % more',
    of: (sessions) => mean(sessions.map(({ tasksDone }) => tasksDone)),
  },
]

/** `sessions`: the oldest first. */
export function metricsOf(
  sessions: readonly MeasuredSession[],
  { all, typed, left, wentOn }: Checkpoints,
): Metric[] {
  const half = Math.floor(sessions.length / 2)
  const take = (measure: Measure, part: readonly MeasuredSession[]) =>
    part.length === 0 ? undefined : Math.round(measure.of(part) * 10) / 10
  return [
    ...MEASURES.map((measure) => ({
      name: measure.name,
      meaning: measure.meaning,
      target: measure.target,
      value: take(measure, sessions),
      older: take(measure, sessions.slice(0, half)),
      newer: take(measure, half === 0 ? [] : sessions.slice(half)),
    })),
    share('typed-checkpoints', 'percent of checkpoints that somebody asked for', '50', typed, all),
    share(
      'resumed',
      'percent of checkpoints that a later session continued from',
      '90',
      wentOn,
      left,
    ),
  ]
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function share(name: string, meaning: string, above: string, part: number, whole: number): Metric {
  const value = whole === 0 ? undefined : Math.round((1000 * part) / whole) / 10
  return { name, meaning, target: `above ${above}`, value, older: undefined, newer: undefined }
}
