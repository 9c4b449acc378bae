/** How many terminal cells a text takes, and cutting or padding texts to a number of cells. */

/** Characters that take two cells: East Asian Wide ones, and those shown as emoji. */
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f18e}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]$/u
/** Makes the character before it an emoji, which takes one more cell. */
const AS_EMOJI = '\ufe0f'
const NO_CELL = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** The width of a text without control characters. Where terminals disagree, the greater width counts. */
export function cellWidth(text: string): number {
  let cells = 0
  for (const character of text) cells += widthOf(character)
  return cells
}

/** Exactly `cells` wide, or with `isOpen` at most `cells`; a shortened text ends with `…`. */
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
  if (character < '\u0300' || character === AS_EMOJI) return 1
  if (NO_CELL.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
