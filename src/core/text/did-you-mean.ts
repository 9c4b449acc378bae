/** The known word that a mistyped one most likely meant. */

/** Undefined when nothing is within `limit` edits (Levenshtein); of a short word half may be wrong. */
export function nearest(
  word: string,
  known: readonly string[],
  limit = Math.min(3, Math.ceil(word.length / 2)),
): string | undefined {
  const ranked = known.map((name) => ({ name, distance: editDistance(word, name) }))
  const [best] = ranked.sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.name : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= Math.min(a.length, 100); i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
