/** The known word that a mistyped one most likely meant: a command, an option, a value, a key. */

/** Undefined where none is like it: at most every third letter may be wrong. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((name) => {
    // A key may be named without its section.
    const like = word.includes('.') ? name : name.slice(name.lastIndexOf('.') + 1)
    return { name, wrong: mistakes(word, like) / Math.max(word.length, like.length) }
  })
  const [best] = ranked.sort((a, b) => a.wrong - b.wrong)
  return best !== undefined && best.wrong <= 1 / 3 ? best.name : undefined
}

/** The end of a message about an unknown word. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** Letters to add, drop or change, or neighbours to exchange (Damerau and Levenshtein). */
function mistakes(word: string, other: string): number {
  // What is longer by that much is no mistake of typing.
  if (word.length > other.length * 2) return word.length
  let [before, row]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= word.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (row?.[j - 1] ?? 0) + (word[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1]
      const swap = isSwap ? (before?.[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(change, swap, (row?.[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    ;[before, row] = [row, next]
  }
  return row?.[other.length] ?? 0
}
