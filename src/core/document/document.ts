/**
 * A Markdown file as front matter and sections with exact positions, so that one part can be replaced and every
 * other byte stays: unknown keys, unknown sections, comments, line ends.
 *
 * Offsets are UTF-16 units of the original text, including BOM and line ends. Nothing is normalised, no YAML is
 * parsed and nothing throws: a document that people and agents edit is often half broken (docs/decisions/0033).
 */

export interface Range {
  readonly start: number
  readonly end: number
}

export type LineKind = 'blank' | 'front' | 'heading' | 'rule' | 'code' | 'table' | 'item' | 'text'

/** A line; its range includes the line break. */
export interface Line extends Range {
  /** 0-based. */
  readonly at: number
  /** Without the line break. */
  readonly text: string
  readonly kind: LineKind
  /** Columns before the text; a tab counts as four. */
  readonly indent: number
}

export interface Section {
  /** Undefined for the part before the first heading. */
  readonly heading: Line | undefined
  readonly level: number
  readonly title: string
  readonly parent: Section | undefined
  /** The lines up to the next heading of any level. */
  readonly lines: Line[]
  /** Everything below the heading, including nested sections. */
  readonly content: Range
}

export interface Document {
  readonly text: string
  /** The lines of the front matter, without its fences. Undefined if there is none. */
  readonly front: readonly Line[] | undefined
  readonly lines: readonly Line[]
  /** In the order of the file. */
  readonly sections: readonly Section[]
  /** The first line break in the file. */
  readonly eol: string
  /** The line that would close a fence or comment that is open at the end. */
  readonly closer: string | undefined
}

/** A replacement for a range. Equal `start` and `end` insert a text; without `put` the range is deleted. */
export interface Splice extends Range {
  readonly put?: string | undefined
}

/** `splices`: ranges that do not overlap, in any order. Of several insertions at one place the last comes first. */
export function spliceAll(text: string, splices: readonly Splice[]): string {
  // One pass: copying the whole text for each range would be quadratic.
  const inOrder = splices.toReversed().toSorted((a, b) => a.start - b.start || a.end - b.end)
  let from = 0
  const pieces = inOrder.flatMap(({ start, end, put = '' }) => {
    const kept = text.slice(from, start)
    from = end
    return [kept, put]
  })
  return pieces.join('') + text.slice(from)
}

const HEADING = /^ {0,3}(#{1,6})(?=\s|$)([^]*)$/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
/** No backquotes may follow on an opening line of backquotes: that would be inline code. */
const CODE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/
/** A list item, or a line that starts with a check box or an arrow. */
const ITEM = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+\S|\[(?:[ xX]|->|\u2192)\]\s+\S)/
const COMMENT = /^\s*<!--/

/** Reads any text. Never throws. */
export function readDocument(text: string): Document {
  const { lines, front, closer } = classify(splitLines(text), true)
  const body = lines.slice(front === undefined ? 0 : front.length + 2)
  const root = openSection(undefined, body[0]?.start ?? text.length)
  const sections = [root]
  for (const line of body) {
    const open = sections.at(-1) ?? root
    if (line.kind === 'heading') sections.push(openSection(line, line.end, open))
    else open.lines.push(line)
  }
  sections.forEach((section, i) => {
    const level = i === 0 ? Infinity : section.level // the part before the first heading contains no section
    let next = i + 1
    while ((sections[next]?.level ?? 0) > level) next++
    section.content.end = sections[next]?.heading?.start ?? text.length
  })
  // A single CR at the end becomes part of a line break as soon as something follows.
  const eol = /\r?\n/.exec(text)?.[0] ?? (text.endsWith('\r') ? '\r\n' : '\n')
  return { text, front, lines, sections, eol, closer }
}

/** The section and its ancestors, innermost first. */
export function pathOf(section: Section): Section[] {
  const path: Section[] = []
  for (let at: Section | undefined = section; at !== undefined; at = at.parent) path.push(at)
  return path
}

/**
 * The whole text with new content in one section. Every byte outside the section stays, and stays outside: a fence or
 * comment that the content leaves open is closed, and headings of the section's level or above are escaped.
 */
export function replaceContent(document: Document, section: Section, content: string): string {
  const { text, eol, lines, front } = document
  const { start, end } = section.content
  const before = text.slice(0, start)
  // A single `---` at the top must not become the beginning of front matter.
  const isOpenTop = front === undefined && (start === lines[0]?.start || isFence(lines[0]?.text))
  const { lines: read, closer } = classify(splitLines(content.replace(/\r\n?/g, '\n')), false)
  const shown = [...read, ...(closer === undefined ? [] : [{ kind: 'code', text: closer }])].map(
    (line) => {
      if (line.kind !== 'heading')
        return isOpenTop && isFence(line.text) ? ` ${line.text}` : line.text
      const level = HEADING.exec(line.text)?.[1]?.length ?? 0
      return section.level > 0 && level > section.level ? line.text : line.text.replace('#', '\\#')
    },
  )
  while (shown[0]?.trim() === '') shown.shift()
  while (shown.at(-1)?.trim() === '') shown.pop()
  const body = shown.map((line) => `${line}${eol}`).join('')
  const isCut = start > (lines[0]?.start ?? 0) && !before.endsWith('\n')
  const lead = (isCut ? eol : '') + (section.heading !== undefined && body !== '' ? eol : '')
  return `${before}${lead}${body}${end < text.length ? eol : ''}${text.slice(end)}`
}

function openSection(heading: Line | undefined, start: number, before?: Section) {
  const [, marks = '', rest = ''] = HEADING.exec(heading?.text ?? '') ?? []
  const level = marks.length
  // `#` at the end closes a heading only after a space.
  const words = rest.trim()
  let cut = words.length
  while (words[cut - 1] === '#') cut--
  const title = cut === 0 || /\s/.test(words[cut - 1] ?? '') ? words.slice(0, cut).trim() : words
  const parent = before && pathOf(before).find((section) => section.level < level)
  return { heading, level, title, parent, lines: [] as Line[], content: { start, end: start } }
}

type Raw = Omit<Line, 'kind' | 'indent'>

/** The last line has no line break, and may be empty. A BOM belongs to no line. */
function splitLines(text: string): Raw[] {
  const lines: Raw[] = []
  const breaks = /\r?\n|$/g
  breaks.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  for (let start = breaks.lastIndex; ;) {
    const found = breaks.exec(text)
    const end = (found?.index ?? text.length) + (found?.[0].length ?? 0)
    lines.push({ at: lines.length, text: text.slice(start, found?.index), start, end })
    if (!found?.[0]) return lines
    start = end
  }
}

interface Classified {
  readonly lines: Line[]
  readonly front: Line[] | undefined
  /** See `Document.closer`. */
  readonly closer: string | undefined
}

function classify(raw: readonly Raw[], hasFront: boolean): Classified {
  const isOpened = hasFront && isFence(raw[0]?.text)
  const close = isOpened ? raw.findIndex(({ at, text }) => at > 0 && isFence(text)) : -1
  let closer: string | undefined
  const kindOf = ({ at, text }: Raw): LineKind => {
    if (at <= close) return at === 0 || at === close ? 'rule' : 'front'
    const mark = CODE.exec(text)?.[1]
    if (closer === '-->') {
      if (text.includes(closer)) closer = undefined
      return 'code'
    }
    if (closer !== undefined) {
      if (mark?.startsWith(closer) && text.trim() === mark) closer = undefined
      return 'code'
    }
    if (mark !== undefined) {
      closer = mark
      return 'code'
    }
    if (COMMENT.test(text)) {
      closer = text.includes('-->') ? undefined : '-->'
      return 'code'
    }
    if (text.trim() === '') return 'blank'
    if (HEADING.test(text)) return 'heading'
    if (RULE.test(text)) return 'rule'
    if (/^\s*\|/.test(text)) return 'table'
    return ITEM.test(text) ? 'item' : 'text'
  }
  const lines = raw.map((line): Line => {
    const indent = /^[ \t]*/.exec(line.text)?.[0].replaceAll('\t', '    ').length ?? 0
    return { ...line, kind: kindOf(line), indent }
  })
  return { lines, front: close === -1 ? undefined : lines.slice(1, close), closer }
}

/** A fence of front matter is not indented. */
function isFence(text: string | undefined): boolean {
  return text?.trimEnd() === '---'
}
