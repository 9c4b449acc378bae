/** Caching for pure functions that many rules call with the same text. */

/** The first argument is a text. The cache is cleared once it holds `maxAnswers` answers. */
export function memoize<Rest extends readonly (number | string)[], Answer>(
  compute: (text: string, ...rest: Rest) => Answer,
  maxAnswers = 500,
): (text: string, ...rest: Rest) => Answer {
  const answers = new Map<string, Answer>()
  return (text, ...rest) => {
    const key = [...rest, text].join('\0')
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = compute(text, ...rest)
    if (answers.size >= maxAnswers) answers.clear()
    answers.set(key, answer)
    return answer
  }
}
