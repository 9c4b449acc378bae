/**
 * Samples of how full a session's context is, and the trend that follows from them.
 *
 * Hooks are not told how full the context is. A sample comes from the end of the transcript, from the input of the
 * status line, or from a compaction; the newest sample wins.
 */

import type { Boundaries } from './level.ts'
import { levelOf, percentOf } from './level.ts'

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Tokens in the context. */
  readonly tokens: number
  readonly source: SampleSource
}

export type SampleSource = 'transcript' | 'status_line' | 'compaction'

/** Enough for a trend; older samples are not needed. */
const MAX_SAMPLES = 64

/** Milliseconds that a trend covers. */
const TREND_SPAN = 15 * 60_000

/** Tokens below which a change is ignored: a status line and a transcript may differ by one response. */
const MIN_CHANGE = 500

/** A drop below this share is a compaction, even if none was reported. */
const DROP_RATIO = 2 / 3

/** True if the sample shows that the context was compacted since the newest of `samples`. */
export function wasCompacted(samples: readonly Sample[], sample: Sample): boolean {
  const last = samples.at(-1)
  if (last === undefined || sample.at < last.at) return false
  // A compaction is reported repeatedly until the first response after it.
  if (sample.source === 'compaction') return last.source !== 'compaction'
  return sample.tokens < last.tokens * DROP_RATIO
}

/**
 * The samples with a new one added, oldest first. A compaction or a drop removes all earlier samples, because they
 * say nothing about the future. A sample older than the newest one is ignored; one that repeats the newest one only
 * moves its time. After a compaction that does not report its result, no samples are left.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last !== undefined && sample.at < last.at) return samples
  if (sample.source === 'compaction') return sample.tokens > 0 ? [sample] : []
  if (last === undefined || wasCompacted(samples, sample)) return [sample]
  const isRepeated = sample.tokens === last.tokens && samples.at(-2)?.tokens === last.tokens
  const kept = isRepeated ? samples.slice(0, -1) : samples
  return [...kept, sample].slice(-MAX_SAMPLES)
}

export interface Trend {
  readonly direction: 'increasing' | 'stable' | 'decreasing'
  readonly tokensPerMinute: number
}

/**
 * Undefined with fewer than two samples, with samples of one moment only, or if all samples are equal: two responses
 * never have exactly the same size, so equal samples are the same response seen twice.
 */
export function trendOf(samples: readonly Sample[]): Trend | undefined {
  const last = samples.at(-1)
  if (last === undefined) return undefined
  if (samples.every(({ tokens }) => tokens === last.tokens)) return undefined
  const first = samples.find(({ at }) => last.at - at <= TREND_SPAN)
  if (first === undefined || first.at === last.at) return undefined
  const grown = last.tokens - first.tokens
  const tokensPerMinute = Math.round((grown * 60_000) / (last.at - first.at))
  if (Math.abs(grown) < MIN_CHANGE) return { direction: 'stable', tokensPerMinute }
  return { direction: grown > 0 ? 'increasing' : 'decreasing', tokensPerMinute }
}

/** How full a session's context is. */
export type Standing = NonNullable<ReturnType<typeof standingOf>>

/** The newest sample against the limit. Undefined without a sample: unknown is not 0. */
export function standingOf(
  samples: readonly Sample[],
  window: number | undefined,
  limit: number | undefined,
  boundaries?: Boundaries,
) {
  const last = samples.at(-1)
  if (last === undefined) return undefined
  const { tokens, at: sampledAt, source } = last
  const of = (whole: number | undefined) =>
    whole === undefined ? undefined : percentOf(tokens, whole)
  return {
    tokens,
    /** Tokens; undefined if the model's window is unknown. */
    window,
    limit,
    /** `unknown` if the limit is unknown. */
    level: limit === undefined ? ('unknown' as const) : levelOf(tokens, limit, boundaries),
    /** Percent of the window, as the agent shows it. */
    percent: of(window),
    /** Percent of the limit. */
    ofLimit: of(limit),
    trend: trendOf(samples),
    sampledAt,
    source,
  }
}
