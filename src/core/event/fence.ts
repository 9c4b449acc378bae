/**
 * The fence around an event's body.
 *
 * Markdown formatters rewrite text that looks like prose, but leave a fence of an unknown language alone. Bodies
 * without a fence are read as well: older releases and people write them.
 */

const OPEN = /^(`{3,})[ \t]*(?:ledger|yaml)(?:[ \t][^`]*)?$/

/** The lines in a fence that none of them can close. */
export function fenced(lines: readonly string[]): string {
  const text = lines.join('\n')
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}ledger\n${text}\n${ticks}\n`
}

export interface FencedBody {
  readonly text: string
  /** Number of lines before it. */
  readonly skipped: number
}

/**
 * The text inside the fence, if the whole body is one fence: it opens, unindented, on the first non-blank line, and
 * only blank lines follow its end. Otherwise the body is bare, and a fence in it is ordinary text.
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

/** True for an event whose body is in the fence that formatters leave alone. */
export function isFencedEvent(text: string): boolean {
  return /^---\n[^]*?\n---\n\s*`{3,}ledger\n/.test(text)
}
