/** From offsets in a part of a file to the file's lines, for messages. */

/** The 1-based line of the file that an offset in a part of it stands on. */
export type LineOf = (offset: number) => number

export function lineLookup(text: string, firstLine: number): LineOf {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    let [low, high] = [0, starts.length]
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return firstLine + low
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
