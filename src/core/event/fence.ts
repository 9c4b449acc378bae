/**
 * The fence around an event's body.
 *
 * Formatters of Markdown rewrite text that they take for prose, and leave a fence of an unknown language
 * alone. Bodies without one are read as well: that is how they were written before, and by hand.
 */

/**
 * It opens at the margin, on the first line that is not blank; the first line of as many backquotes closes
 * it, and only blank lines follow.
 */
const FENCED =
  /^((?:[^\S\n]*\n)*(`{3,})[ \t]*(?:ledger|yaml)(?:[ \t][^`\n]*)?\n)((?:(?!\2`*[ \t]*(?:\n|$))[^\n]*\n)*)\2`*[ \t]*(?:\n\s*)?$/

/** Lines in a fence that none of them can close. */
export function fenced(lines: readonly string[]): string {
  const text = lines.join('\n')
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}ledger\n${text}\n${ticks}\n`
}

export interface FencedBody {
  readonly text: string
  /** Lines before it. */
  readonly skipped: number
}

/** What stands in the fence, if the body is one. Else the body is bare, and a fence in it is text. */
export function insideFence(body: string): FencedBody {
  const [, before, , text] = FENCED.exec(body) ?? []
  if (before === undefined || text === undefined) return { text: body, skipped: 0 }
  return { text, skipped: before.split('\n').length - 1 }
}

/** True for an event in the fence that formatters leave alone. */
export function isFencedEvent(text: string): boolean {
  return /^---\n[^]*?\n---\n\s*`{3,}ledger\n/.test(text)
}
