/**
 * The fence around an event's body.
 *
 * Formatters of Markdown rewrite text that they take for prose, and leave a fence of an unknown language
 * alone. Bodies without one are read as well: that is how they were written before, and by hand.
 */

const OPEN = /^(`{3,})[ \t]*(?:ledger|yaml)(?:[ \t][^`]*)?$/

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

/**
 * What stands in the fence, if the body is one: it opens at the margin, on the first line that is not
 * blank, and only blank lines follow its close. Else the body is bare, and a fence in it is text.
 */
export function insideFence(body: string): FencedBody {
  const bare = { text: body, skipped: 0 }
  const start = /[^\s]/.exec(body)?.index
  const open = start === undefined ? 0 : body.lastIndexOf('\n', start) + 1
  const first = lineAt(body, open)
  const ticks = OPEN.exec(first)?.[1]
  if (ticks === undefined) return bare
  const inside = open + first.length + 1
  for (let at = body.indexOf(`\n${ticks}`, inside - 1); at !== -1;) {
    const line = lineAt(body, at + 1)
    if (/^`+[ \t]*$/.test(line)) {
      const isLast = body.slice(at + 1 + line.length).trim() === ''
      if (!isLast) return bare
      const skipped = body.slice(0, inside).split('\n').length - 1
      return { text: body.slice(inside, at + 1), skipped }
    }
    at = body.indexOf(`\n${ticks}`, at + 1)
  }
  return bare
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end)
}

/** True for an event in the fence that formatters leave alone. */
export function isFencedEvent(text: string): boolean {
  return /^---\n[^]*?\n---\n\s*`{3,}ledger\n/.test(text)
}
