/**
 * What was seen of a session's context, sample by sample, and what they tell together.
 *
 * Nobody tells a hook how full the context is. A sample comes from the end of the transcript, from what the
 * agent gives its status line, or from a compaction; the newest one wins.
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

/** As many as a trend needs; each says what the context was, so the older ones are no loss. */
const MAX_SAMPLES = 64

/** Milliseconds that a trend looks back. */
const TREND_SPAN = 15 * 60_000

/** Tokens below which a change is none: a status line and a transcript differ by one response. */
const STILL = 500

/** A drop by more than a third is a compaction, whether or not anybody told of it. */
const DROP = 2 / 3

/** True where a sample says that the context was folded up since the newest one, whoever told of it. */
export function isFoldedUp(samples: readonly Sample[], sample: Sample): boolean {
  const last = samples.at(-1)
  if (last === undefined || sample.at < last.at) return false
  // What a compaction left is said until the first response after it.
  if (sample.source === 'compaction') return last.source !== 'compaction'
  return sample.tokens < last.tokens * DROP
}

/**
 * The samples with a new one, oldest first. What was before a compaction or a drop goes: it says nothing of
 * what comes. One that is older than the newest tells nothing new; one that repeats it moves its time. A
 * compaction that does not say what it left leaves nothing known.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last !== undefined && sample.at < last.at) return samples
  if (sample.source === 'compaction') return sample.tokens > 0 ? [sample] : []
  if (last === undefined || isFoldedUp(samples, sample)) return [sample]
  const isRepeated = sample.tokens === last.tokens && samples.at(-2)?.tokens === last.tokens
  const kept = isRepeated ? samples.slice(0, -1) : samples
  return [...kept, sample].slice(-MAX_SAMPLES)
}

export interface Trend {
  readonly direction: 'increasing' | 'stable' | 'decreasing'
  readonly tokensPerMinute: number
}

/**
 * Undefined with fewer than two samples, or with two of one moment: then nothing is known. No two responses have
 * the same size to the token: what is seen so is one of them, looked at again.
 */
export function trendOf(samples: readonly Sample[]): Trend | undefined {
  const last = samples.at(-1)
  if (last === undefined) return undefined
  if (samples.every(({ tokens }) => tokens === last.tokens)) return undefined
  const first = samples.find(({ at }) => last.at - at <= TREND_SPAN)
  if (first === undefined || first.at === last.at) return undefined
  const grown = last.tokens - first.tokens
  const tokensPerMinute = Math.round((grown * 60_000) / (last.at - first.at))
  if (Math.abs(grown) < STILL) return { direction: 'stable', tokensPerMinute }
  return { direction: grown > 0 ? 'increasing' : 'decreasing', tokensPerMinute }
}

/** Where a session stands. */
export type Standing = NonNullable<ReturnType<typeof standingOf>>

/** The newest sample against the limit. Undefined with no sample: unknown, which is not 0. */
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
    /** Tokens; undefined where nothing says what the model's window is. */
    window,
    limit,
    /** `unknown` with the limit. */
    level: limit === undefined ? ('unknown' as const) : levelOf(tokens, limit, boundaries),
    /** Of the window, as the agent shows it. */
    percent: of(window),
    /** Percent of the limit. */
    ofLimit: of(limit),
    trend: trendOf(samples),
    sampledAt,
    source,
  }
}
