/** As many lines below titles as fit. Lines are never cut, and a title is shown only if one of its lines is. */

export interface TitledLines {
  /** Empty: no title is shown. */
  readonly title: string
  /** Best first. */
  readonly lines: readonly string[]
}

export interface FittedLines {
  /** Titles and lines. */
  readonly body: readonly string[]
  /** Lines without titles. */
  readonly shown: readonly string[]
}

/**
 * `room`: in UTF-16 units, including a line break per line. `first`: each section gets this many lines before any
 * section gets more.
 */
export function fitLines(
  sections: readonly TitledLines[],
  room: number,
  first = Infinity,
): FittedLines {
  const taken = sections.map(() => new Set<number>())
  let left = room
  const take = (isWanted: (line: number) => boolean) => {
    for (const [i, { title, lines }] of sections.entries()) {
      const mine = taken[i] ?? new Set()
      for (const [j, line] of lines.entries()) {
        const heading = mine.size > 0 || title === '' ? 0 : title.length + 1
        const cost = line.length + 1 + heading
        if (!isWanted(j) || mine.has(j) || cost > left) continue
        mine.add(j)
        left -= cost
      }
    }
  }
  take((line) => line < first)
  take((line) => line >= first)
  const fitted = sections.map(({ title, lines }, i) => {
    return { title, lines: lines.filter((_, j) => taken[i]?.has(j) === true) }
  })
  return {
    body: fitted.flatMap(({ title, lines }) =>
      lines.length === 0 || title === '' ? lines : [title, ...lines],
    ),
    shown: fitted.flatMap(({ lines }) => lines),
  }
}
