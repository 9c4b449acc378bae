/**
 * A Markdown file as front matter and sections that know exactly where they stand, so that one part can be
 * replaced and every other byte stays: unknown keys, unknown sections, comments, line ends.
 *
 * Offsets are UTF-16 units of the text as it was given, BOM and line ends included. Nothing is normalised,
 * no YAML is parsed and nothing throws: a document that people and agents edit is often half broken
 * (docs/decisions/0033).
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
  /** Columns before the text; a tab is four. */
  readonly indent: number
}

export interface Section {
  /** Undefined for what stands before the first heading. */
  readonly heading: Line | undefined
  readonly level: number
  readonly title: string
  readonly parent: Section | undefined
  /** Down to the next heading of any level. */
  readonly lines: Line[]
  /** What stands below the heading, with the sections inside it. */
  readonly content: Range
}

export interface Document {
  readonly text: string
  /** The lines of the front matter, without its fences. Undefined where there is none. */
  readonly front: readonly Line[] | undefined
  readonly lines: readonly Line[]
  /** In the order of the file. */
  readonly sections: readonly Section[]
  /** The line break that the file uses first. */
  readonly eol: string
  /** The line that would close what is open at the end: a fence, a comment. */
  readonly closer: string | undefined
}

/** Another text for a range; `start` and `end` alike put something in, no text takes it out. */
export interface Splice extends Range {
  readonly put?: string | undefined
}

/** Ranges that do not overlap, in any order. What is put at one place stands with the last of it first. */
export function spliceAll(text: string, splices: readonly Splice[]): string {
  // One pass: a copy of the whole text for each range would cost the square of a long list.
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
/** What stands behind backquotes on their line has none: that would be code in a sentence. */
const CODE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/
/** A list item, or a line that a check box or an arrow makes one. */
const ITEM = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+\S|\[(?:[ xX]|->|\u2192)\]\s+\S)/
const COMMENT = /^\s*<!--/

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
    const level = i === 0 ? Infinity : section.level // before the first heading: no section is inside
    let next = i + 1
    while ((sections[next]?.level ?? 0) > level) next++
    section.content.end = sections[next]?.heading?.start ?? text.length
  })
  // A lone CR at the end becomes half of a line break as soon as something follows.
  const eol = /\r?\n/.exec(text)?.[0] ?? (text.endsWith('\r') ? '\r\n' : '\n')
  return { text, front, lines, sections, eol, closer }
}

/** The section and those around it, innermost first. */
export function pathOf(section: Section): Section[] {
  const path: Section[] = []
  for (let at: Section | undefined = section; at !== undefined; at = at.parent) path.push(at)
  return path
}

/**
 * The whole text with other content in one section. Every byte outside of it stays, and stays outside:
 * what the content leaves open is closed, and its headings go no higher than the section's own parts.
 */
export function replaceContent(document: Document, section: Section, content: string): string {
  const { text, eol, lines, front } = document
  const { start, end } = section.content
  const before = text.slice(0, start)
  // A lone `---` at the top must not become the begin of front matter.
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
  // Signs at the end close a heading only behind a space.
  const words = rest.trim()
  let cut = words.length
  while (words[cut - 1] === '#') cut--
  const title = cut === 0 || /\s/.test(words[cut - 1] ?? '') ? words.slice(0, cut).trim() : words
  const parent = before && pathOf(before).find((section) => section.level < level)
  return { heading, level, title, parent, lines: [] as Line[], content: { start, end: start } }
}

type Raw = Omit<Line, 'kind' | 'indent'>

/** The last line has no break, and may be empty. A BOM is in no line. */
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
  /** The line that closes what is open at the end. */
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

/** The fence of front matter stands at the margin. */
function isFence(text: string | undefined): boolean {
  return text?.trimEnd() === '---'
}
