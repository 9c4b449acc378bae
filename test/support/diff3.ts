/** A text merge for tests of the pure core; git does it elsewhere. */

import type { TextMerge } from '../../src/core/handoff/merge-outlines.ts'

/** Lines of both sides that correspond to the same lines of the base. */
export const diff3: TextMerge = (base, ours, theirs) => {
  const [o, a, b] = [base, ours, theirs].map((text) => text.split('\n'))
  if (o === undefined || a === undefined || b === undefined) throw new Error('three texts')
  const [inA, inB] = [matchesOf(o, a), matchesOf(o, b)]
  const merged: string[] = []
  let isConflict = false
  let [x, y, z] = [0, 0, 0]
  const take = (o1: number, a1: number, b1: number) => {
    const [was, mine, other] = [o.slice(x, o1), a.slice(y, a1), b.slice(z, b1)].map((lines) =>
      lines.map((line) => `${line}\n`).join(''),
    )
    if (mine === other || other === was) merged.push(...a.slice(y, a1))
    else if (mine === was) merged.push(...b.slice(z, b1))
    else {
      isConflict = true
      merged.push('<<<<<<<', ...a.slice(y, a1), '=======', ...b.slice(z, b1), '>>>>>>>')
    }
  }
  for (let i = 0; i <= o.length; i++) {
    const [j, k] = i === o.length ? [a.length, b.length] : [inA.get(i), inB.get(i)]
    if (j === undefined || k === undefined) continue
    take(i, j, k)
    if (i < o.length) merged.push(o[i] ?? '')
    ;[x, y, z] = [i + 1, j + 1, k + 1]
  }
  return { text: merged.join('\n'), isConflict }
}

/** Maps lines of `from` to lines of `to`, by the longest common subsequence. */
function matchesOf(from: readonly string[], to: readonly string[]): Map<number, number> {
  const longest = Array.from({ length: from.length + 1 }, () =>
    Array.from({ length: to.length + 1 }, () => 0),
  )
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const row = longest[i]
      if (row)
        row[j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const found = new Map<number, number>()
  for (let i = 0, j = 0; i < from.length && j < to.length;) {
    if (from[i] === to[j]) found.set(i++, j++)
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return found
}
