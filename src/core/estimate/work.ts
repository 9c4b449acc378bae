/**
 * How much of an agent's context a task will take: its text, the files it names, and its steps. Pure.
 *
 * This is deliberately a rule of thumb: measured over 12,000 turns of real sessions, characters divided by a
 * constant are as accurate as any tokenizer library (docs/context.md). `ratio` corrects the error in one repository:
 * the median of actual tokens of earlier tasks divided by their estimates.
 */

export interface Work {
  /** Characters of the task's own text. */
  readonly characters: number
  readonly steps: number
  /** Sizes in bytes of the files that it names, by path. Each is read once, however often it is named. */
  readonly files: ReadonlyMap<string, number>
}

export interface Rates {
  readonly charactersPerToken: number
  readonly ratio: number
}

/** Tokens of a step besides its text and its files: tool calls, their output, written text. */
export const TOKENS_PER_STEP = 3000

/** Agents read no more than this of a file at once. */
const MAX_FILE_TOKENS = 25_000

/** Rates used until enough tasks were compared. The ratio is high because overestimating is the safer error. */
export const START_RATES: Rates = { charactersPerToken: 2.7, ratio: 1.5 }

/** Estimates tokens. More text, files or steps never give a smaller estimate. */
export function estimateTokens({ characters, steps, files }: Work, rates: Rates): number {
  const read = [...files.values()].reduce((sum, bytes) => sum + fileTokens(bytes, rates), 0)
  return sumTokens({ characters, steps, fileTokens: read }, rates)
}

/** `fileTokens`: before the ratio is applied. */
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

/** Tokens of a file, before the ratio is applied. */
export function fileTokens(bytes: number, { charactersPerToken }: Rates): number {
  return Math.min(Math.ceil(bytes / charactersPerToken), MAX_FILE_TOKENS)
}
