/** The known word that a mistyped one most likely meant: a command, an option, a value, or a key. */

/** Undefined if no word is similar: at most a third of the letters may be wrong. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((name) => {
    // A key may be typed without its section.
    const comparable = word.includes('.') ? name : name.slice(name.lastIndexOf('.') + 1)
    return {
      name,
      wrong: editDistance(word, comparable) / Math.max(word.length, comparable.length),
    }
  })
  const [best] = ranked.sort((a, b) => a.wrong - b.wrong)
  return best !== undefined && best.wrong <= 1 / 3 ? best.name : undefined
}

/** The end of a message about an unknown word. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** Number of letters to add, drop, change, or swap with a neighbour (Damerau-Levenshtein distance). */
function editDistance(word: string, other: string): number {
  // A word this much longer is not a typing mistake.
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
