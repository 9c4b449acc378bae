/**
 * Event text as one safe line of Markdown.
 *
 * Event text is data. Ordinary text passes verbatim; a character is escaped only where it would
 * change the document's structure: open a heading, a list, a fence, an HTML block or comment.
 */

/** Characters (code points) of an item before it is cut. */
export const MAX_ITEM_LENGTH = 2000

/** HTML that starts a block in CommonMark (kinds 1 and 6), opening or closing. */
const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|' +
  'dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|' +
  'iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|' +
  'section|source|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul'
export const BLOCK_HTML = new RegExp(`(\\\\*)<(?=[!?]|/?(?:${BLOCK_TAGS})(?:[\\s/>]|$))`, 'gi')
const COMMENT = /(\\*)<(?=!--)/g

/** More of a text is never looked at: patterns below may be slow on megabytes of one character. */
const MAX_SCAN = 8 * MAX_ITEM_LENGTH

/** Printable ASCII without space at its ends: stays as it is. */
const PLAIN = /^(?! )[ -~]*(?<! )$/

/** Line breaks as a space, control and direction characters as U+FFFD, cut at `MAX_ITEM_LENGTH`. */
export function oneLine(text: string, file: string): string {
  if (text.length <= MAX_ITEM_LENGTH && PLAIN.test(text)) return text
  const flat = text
    .slice(0, MAX_SCAN)
    .toWellFormed()
    .replace(/[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ')
    .replaceAll('\t', ' ')
    // Controls reach terminals; the direction overrides make text read as something else.
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .trim()
  const cut = cutAfter(flat, MAX_ITEM_LENGTH)
  if (cut === undefined && text.length <= MAX_SCAN) return flat
  return `${cut ?? flat}\u2026 (${file === '' ? '' : oneLine(file, '')})`
}

/** Text inside a paragraph or list item whose start is already taken (`- [x] `, `[->] `). */
export function escapeInline(text: string): string {
  if (!/<|\*\*|###/.test(text)) return text // nothing that any of the patterns begins with
  return mapOutsideCode(text, (plain) => plain.replace(BLOCK_HTML, escapeUnlessEscaped))
    .replace(COMMENT, escapeUnlessEscaped)
    .replace(FIELD_MARK, String.raw`\*\*$1:\*\*`)
    .replace(NOW_MARK, String.raw`\#\#\# Now`)
}

/** What readers of the ledger look for; it may only stand where the ledger itself says it. */
const FIELD_MARK = /\*\*(Updated|Goal|Branch|Test):\*\*/g
const NOW_MARK = /### Now$/

/** What opens a block of its own at the start of a list item, besides a number. */
export const BLOCK_START = String.raw`(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|\x60{3}|~{3}|(?<mark>[-*_])(?:\s*\k<mark>){2,}\s*$|\[(?:[^\]\\]|\\.)+\]:)`
const OPENS_BLOCK = new RegExp(`^${BLOCK_START}`)

/** Text at the start of a list item, where it could open a block of its own. */
export function escapeItemStart(text: string): string {
  const inline = escapeInline(text)
  const number = /^(\d{1,9})([.)])(?=\s|$)/.exec(inline)
  if (number !== null) return `${number[1]}\\${inline.slice(number[1]?.length ?? 0)}`
  return OPENS_BLOCK.test(inline) ? `\\${inline}` : inline
}

/** Text that shares a paragraph with other fields: nothing may open here and close in the next. */
export function escapeSharedLine(text: string): string {
  const inline = mapOutsideCode(escapeInline(text), (plain) =>
    plain
      .replace(/(\\*)<(?=[A-Za-z/!?])(?![^>]*>)/g, escapeUnlessEscaped)
      .replace(/(\\*)\[(?![^\]]*\])/g, (_, slashes: string) =>
        slashes.length % 2 === 1 ? `${slashes}[` : `${slashes}\\[`,
      ),
  )
  const { loose } = codeSpans(inline)
  let result = ''
  let at = 0
  for (const [start, end] of loose) {
    result += inline.slice(at, start) + '\\`'.repeat(end - start)
    at = end
  }
  return result + inline.slice(at)
}

/** Text in a table cell: a bar would start the next cell, also inside code. */
export function escapeCell(text: string): string {
  const inline = escapeInline(text)
  if (!inline.includes('|')) return inline
  return inline.replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes}\\|`)
}

/** Text after `# `: a closing sequence of `#` would vanish. */
export function escapeTitle(text: string): string {
  return escapeInline(text).replace(/(^|\s)(#+)$/, '$1\\$2')
}

/** The text between `**` and `:**`. */
export function escapeKey(text: string): string {
  return escapeInline(text).replaceAll('**', '\\*\\*')
}

function cutAfter(text: string, limit: number): string | undefined {
  if (text.length <= limit) return undefined
  let units = 0
  let characters = 0
  for (const character of text) {
    if (characters === limit) return text.slice(0, units)
    units += character.length
    characters++
  }
  return undefined
}

function escapeUnlessEscaped(_match: string, slashes: string): string {
  return slashes.length % 2 === 1 ? `${slashes}<` : `${slashes}\\<`
}

export function mapOutsideCode(text: string, map: (plain: string) => string): string {
  if (!text.includes('`')) return map(text)
  let result = ''
  let at = 0
  for (const [start, end] of codeSpans(text).spans) {
    result += map(text.slice(at, start)) + text.slice(start, end)
    at = end
  }
  return result + map(text.slice(at))
}

/** Code spans as CommonMark pairs them: a run of backticks closes at the next run of its length. */
function codeSpans(text: string): { spans: [number, number][]; loose: [number, number][] } {
  const runs = [...text.matchAll(/\\`|`+/g)]
    .filter((match) => !match[0].startsWith('\\'))
    .map((match): [number, number] => [match.index, match.index + match[0].length])
  const byLength = new Map<number, number[]>()
  runs.forEach(([start, end], i) => {
    const same = byLength.get(end - start)
    if (same === undefined) byLength.set(end - start, [i])
    else same.push(i)
  })
  const spans: [number, number][] = []
  const loose: [number, number][] = []
  for (let i = 0; i < runs.length; i++) {
    const [start, end] = runs[i] ?? [0, 0]
    const queue = byLength.get(end - start) ?? []
    while ((queue[0] ?? Infinity) <= i) queue.shift()
    const close = queue[0]
    if (close === undefined) loose.push([start, end])
    else {
      spans.push([start, runs[close]?.[1] ?? end])
      i = close
    }
  }
  return { spans, loose }
}
