/**
 * A block of ours in a prompt, between marker lines: inserting, replacing, and removing it.
 *
 * Text outside the markers never changes, and removing the block restores the text as it was. A marker without its
 * counterpart is treated as the user's text.
 */

const START = '<!-- ledger-git: where the last session stood -->'
const END = '<!-- ledger-git: end -->'

/** How a text represents line breaks. In the source of a JSON string, a line break is two characters. */
export type Form = 'lines' | 'json'

const BREAKS: Readonly<Record<Form, readonly [crlf: string, lf: string]>> = {
  lines: ['\r\n', '\n'],
  json: [String.raw`\r\n`, String.raw`\n`],
}

interface Block {
  readonly start: number
  /** After the line break of its last line. */
  readonly end: number
  readonly eol: string
}

/** The text with these lines as its block, in place of the old block or else at the end. */
export function putResume(text: string, lines: readonly string[], form: Form = 'lines'): string {
  const old = findBlock(text, form)
  const eol = old?.eol ?? eolOf(text, form)
  const block = [START, ...lines, END, ''].join(eol)
  if (old === undefined) return `${text}${eol}${block}`
  return text.slice(0, old.start) + block + takeResume(text.slice(old.end), form)
}

/** The text without its blocks. */
export function takeResume(text: string, form: Form = 'lines'): string {
  const block = findBlock(text, form)
  if (block === undefined) return text
  const before = withoutBreak(text.slice(0, block.start), block.eol)
  const after = text.slice(block.end)
  // Lines below the block must not be joined to the line above it.
  const isJoined = before !== '' && after !== '' && !endsLine(before, form)
  return takeResume(`${before}${isJoined ? block.eol : ''}${after}`, form)
}

export function hasResume(text: string, form: Form = 'lines'): boolean {
  return findBlock(text, form) !== undefined
}

/** The first start marker that is followed by an end marker before the next start. */
function findBlock(text: string, form: Form): Block | undefined {
  for (let start = text.indexOf(START); start !== -1; start = text.indexOf(START, start + 1)) {
    const eol = BREAKS[form].find((one) => text.startsWith(one, start + START.length))
    if (eol === undefined || !isLineStart(text, start, form)) continue
    const next = nextStart(text, start + START.length, form)
    const end = endOf(text.slice(0, next), start + START.length, form)
    if (end !== undefined) return { start, end, eol }
  }
  return undefined
}

function nextStart(text: string, from: number, form: Form): number {
  for (let at = text.indexOf(START, from); at !== -1; at = text.indexOf(START, at + 1))
    if (isLineStart(text, at, form)) return at
  return text.length
}

function endOf(text: string, from: number, form: Form): number | undefined {
  for (let at = text.indexOf(END, from); at !== -1; at = text.indexOf(END, at + 1)) {
    if (!isLineStart(text, at, form)) continue
    const end = at + END.length
    const eol = BREAKS[form].find((one) => text.startsWith(one, end))
    if (eol !== undefined || end === text.length) return end + (eol?.length ?? 0)
  }
  return undefined
}

/** A CR at the end of the text must not form a line break with our LF: the line before it may be a marker. */
function eolOf(text: string, form: Form): string {
  const [crlf, lf] = BREAKS[form]
  const isHalf = text.endsWith(crlf.slice(0, -lf.length))
  return isHalf || text.includes(crlf) ? crlf : lf
}

function isLineStart(text: string, at: number, form: Form): boolean {
  return at === 0 || endsLine(text.slice(0, at), form)
}

function endsLine(text: string, form: Form): boolean {
  return BREAKS[form].some((one) => text.endsWith(one))
}

/** Removes a line break, also if the file has since been converted to other line endings. */
function withoutBreak(text: string, eol: string): string {
  const own = [eol, '\n'].find((one) => text.endsWith(one))
  return own === undefined ? text : text.slice(0, -own.length)
}
