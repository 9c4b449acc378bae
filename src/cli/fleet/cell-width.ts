/** How many cells of a terminal a text takes, and texts cut and padded to so many. */

/** First and last code points of characters that take two cells (East Asian Wide, and emoji). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26d4],
  [0x26ea, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274e],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27bf],
  [0x2b1b, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f2ff],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f900, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
]

const NO_CELL = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** A text without control characters. Of signs that terminals disagree about, the greater width. */
export function cellWidth(text: string): number {
  let cells = 0
  for (const character of text) cells += widthOf(character)
  return cells
}

/** Exactly `cells` wide, or with `isOpen` at most; what is cut ends with `…`. */
export function fitCells(text: string, cells: number, { isOpen = false } = {}): string {
  let kept = text
  if (cellWidth(text) > cells) {
    kept = ''
    let used = 0
    for (const character of text) {
      used += widthOf(character)
      if (used > cells - 1) break
      kept += character
    }
    kept = cells > 0 ? `${kept}…` : ''
  }
  return isOpen ? kept : kept + ' '.repeat(Math.max(0, cells - cellWidth(kept)))
}

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (NO_CELL.test(character)) return 0
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
