/**
 * What a task will take of an agent's context: its text, the files it names, and its steps. Pure.
 *
 * A rule of thumb, on purpose: measured over 12,000 turns of real sessions, characters divided by a constant
 * are as near as any tokenizer library (docs/context.md). What it gets wrong in one repository, `ratio` puts
 * right: the median of what earlier tasks took, against what was estimated for them.
 */

export interface Work {
  /** Of the task's own text. */
  readonly characters: number
  readonly steps: number
  /** Bytes of the files that it names, by path: each is read once, however often it is named. */
  readonly files: ReadonlyMap<string, number>
}

export interface Rates {
  readonly charactersPerToken: number
  readonly ratio: number
}

/** What a step takes beside its text and its files: calls of tools, their output, what is written. */
export const TOKENS_PER_STEP = 3000

/** Agents read no more of a file at once. */
const MAX_FILE_TOKENS = 25_000

/** `ratio` before enough tasks were compared: too much is the better mistake. */
export const START_RATES: Rates = { charactersPerToken: 2.7, ratio: 1.5 }

/** Never less for more text, more files or more steps. */
export function estimateTokens({ characters, steps, files }: Work, rates: Rates): number {
  const read = [...files.values()].reduce((sum, bytes) => sum + fileTokens(bytes, rates), 0)
  return sumTokens({ characters, steps, fileTokens: read }, rates)
}

/** `fileTokens`: before the ratio. */
export function sumTokens(
  {
    characters,
    steps,
    fileTokens,
  }: { readonly characters: number; readonly steps: number; readonly fileTokens: number },
  { charactersPerToken, ratio }: Rates,
): number {
  const text = Math.ceil(characters / charactersPerToken)
  return Math.ceil((text + fileTokens + steps * TOKENS_PER_STEP) * ratio)
}

/** Before the ratio. */
export function fileTokens(bytes: number, { charactersPerToken }: Rates): number {
  return Math.min(Math.ceil(bytes / charactersPerToken), MAX_FILE_TOKENS)
}
