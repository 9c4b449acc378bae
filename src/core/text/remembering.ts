/** A pure function that many rules ask the same: it keeps its newest answers. */

/** The first argument is a text; `most` answers are kept. */
export function remembering<Rest extends readonly (number | string)[], Answer>(
  ask: (text: string, ...rest: Rest) => Answer,
  most = 500,
): (text: string, ...rest: Rest) => Answer {
  const answers = new Map<string, Answer>()
  return (text, ...rest) => {
    const key = [...rest, text].join('\0')
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = ask(text, ...rest)
    if (answers.size >= most) answers.clear()
    answers.set(key, answer)
    return answer
  }
}
