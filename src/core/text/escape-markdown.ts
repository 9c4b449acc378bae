/**
 * Event text as one safe line of Markdown.
 *
 * Event text is data. Ordinary text is left unchanged. A character is escaped only if it would change the document's
 * structure by starting a heading, a list, a fence, or an HTML block or comment.
 */

/** Maximum length of an item in characters (code points). */
export const MAX_ITEM_LENGTH = 2000

/** HTML tags that start a block in CommonMark (kinds 1 and 6), opening or closing. */
const BLOCK_TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|' +
  'dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|' +
  'iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|' +
  'section|source|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|track|ul'
export const BLOCK_HTML = new RegExp(`(\\\\*)<(?=[!?]|/?(?:${BLOCK_TAGS})(?:[\\s/>]|$))`, 'gi')
const COMMENT = /(\\*)<(?=!--)/g

/** Text beyond this is ignored, because the patterns below may be slow on megabytes of one character. */
const MAX_SCAN = 8 * MAX_ITEM_LENGTH

/** Printable ASCII without spaces at the ends, which is left unchanged. */
const PLAIN = /^(?! )[ -~]*(?<! )$/

/**
 * Line breaks become spaces, control and direction characters U+FFFD; the text is cut at `MAX_ITEM_LENGTH`. `file`: where
 * a reader finds the rest; empty if there is no such file.
 */
export function oneLine(text: string, file: string): string {
  if (text.length <= MAX_ITEM_LENGTH && PLAIN.test(text)) return text
  const flat = text
    .slice(0, MAX_SCAN)
    .toWellFormed()
    .replace(/[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ')
    .replaceAll('\t', ' ')
    // Control characters would reach terminals, and direction overrides make text look like something else.
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .trim()
  const shown = flat.length <= MAX_ITEM_LENGTH ? flat : [...flat].slice(0, MAX_ITEM_LENGTH).join('')
  if (shown === flat && text.length <= MAX_SCAN) return flat
  return `${shown}\u2026${file === '' ? '' : ` (${oneLine(file, '')})`}`
}

/** Text inside a paragraph, or in a list item after its marker (`- [x] `, `[->] `). */
export function escapeInline(text: string): string {
  if (!/<|\*\*|###/.test(text)) return text // no pattern can match
  return mapOutsideCode(text, (plain) => plain.replace(BLOCK_HTML, escapeUnlessEscaped))
    .replace(COMMENT, escapeUnlessEscaped)
    .replace(FIELD_MARK, String.raw`\*\*$1:\*\*`)
    .replace(NOW_MARK, String.raw`\#\#\# Now`)
}

/** Text that readers of the ledger search for; only the ledger itself may contain it. */
const FIELD_MARK = /\*\*(Updated|Goal|Branch|Test):\*\*/g
const NOW_MARK = /### Now$/

/** What starts a block at the beginning of a list item, besides a number. */
export const BLOCK_START = String.raw`(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|\x60{3}|~{3}|(?<mark>[-*_])(?:\s*\k<mark>){2,}\s*$|\[(?:[^\]\\]|\\.)+\]:)`
const OPENS_BLOCK = new RegExp(`^${BLOCK_START}`)

/** Text at the start of a list item, where it could start another block. */
export function escapeItemStart(text: string): string {
  const inline = escapeInline(text)
  const number = /^(\d{1,9})([.)])(?=\s|$)/.exec(inline)
  if (number !== null) return `${number[1]}\\${inline.slice(number[1]?.length ?? 0)}`
  return OPENS_BLOCK.test(inline) ? `\\${inline}` : inline
}

/** Text that shares a paragraph with other fields: nothing may open here and close in a later field. */
export function escapeSharedLine(text: string): string {
  const inline = mapOutsideCode(escapeInline(text), (plain) =>
    plain
      .replace(/(\\*)<(?=[A-Za-z/!?])(?![^>]*>)/g, escapeUnlessEscaped)
      .replace(/(\\*)\[(?![^\]]*\])/g, (_, slashes: string) =>
        slashes.length % 2 === 1 ? `${slashes}[` : `${slashes}\\[`,
      ),
  )
  const { loose: unmatched } = codeSpans(inline)
  let result = ''
  let at = 0
  for (const [start, end] of unmatched) {
    result += inline.slice(at, start) + '\\`'.repeat(end - start)
    at = end
  }
  return result + inline.slice(at)
}

/** Text in a table cell: a bar would start the next cell, even inside code. */
export function escapeCell(text: string): string {
  const inline = escapeInline(text)
  if (!inline.includes('|')) return inline
  return inline.replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes}\\|`)
}

/** Text after `# `: a closing sequence of `#` would disappear. */
export function escapeTitle(text: string): string {
  return escapeInline(text).replace(/(^|\s)(#+)$/, '$1\\$2')
}

/** The text between `**` and `:**`. */
export function escapeKey(text: string): string {
  return escapeInline(text).replaceAll('**', '\\*\\*')
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

/** Code spans according to CommonMark: a run of backticks is closed by the next run of the same length. */
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
  const unmatched: [number, number][] = []
  for (let i = 0; i < runs.length; i++) {
    const [start, end] = runs[i] ?? [0, 0]
    const queue = byLength.get(end - start) ?? []
    while ((queue[0] ?? Infinity) <= i) queue.shift()
    const close = queue[0]
    if (close === undefined) unmatched.push([start, end])
    else {
      spans.push([start, runs[close]?.[1] ?? end])
      i = close
    }
  }
  return { spans, loose: unmatched }
}
