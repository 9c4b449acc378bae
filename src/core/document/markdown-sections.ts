/** Markdown as lines that know what they are and which section they stand in. */

export type LineKind = 'blank' | 'front' | 'heading' | 'rule' | 'code' | 'table' | 'item' | 'text'

export interface Line {
  readonly at: number
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
  readonly lines: Line[]
}

export interface Outline {
  readonly lines: readonly Line[]
  readonly front: readonly Line[]
  /** In the order of the file. */
  readonly sections: readonly Section[]
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const CODE = /^\s*(`{3,}|~{3,})/
/** A list item, or a line that a check box or the arrow of `### Now` makes one. */
const ITEM = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+\S|\[(?:[ xX]|->|\u2192)\]\s+\S)/
const COMMENT = /^\s*<!--/

export function outlineOf(text: string): Outline {
  const lines = classify(text.split('\n'))
  const root: Section = { heading: undefined, level: 0, title: '', parent: undefined, lines: [] }
  const sections = [root]
  let open = root
  for (const line of lines) {
    if (line.kind === 'heading') {
      open = sectionOf(line, open)
      sections.push(open)
    } else if (line.kind !== 'front') open.lines.push(line)
  }
  return { lines, front: lines.filter(({ kind }) => kind === 'front'), sections }
}

/** The section and those around it, innermost first. */
export function pathOf(section: Section): Section[] {
  const path: Section[] = []
  for (let at: Section | undefined = section; at !== undefined; at = at.parent) path.push(at)
  return path
}

function sectionOf(heading: Line, before: Section): Section {
  const [, marks = '', title = ''] = HEADING.exec(heading.text) ?? []
  const level = marks.length
  const parent = pathOf(before).find((section) => section.level < level)
  return { heading, level, title, parent, lines: [] }
}

function classify(texts: readonly string[]): Line[] {
  const close = texts[0]?.trimEnd() === '---' ? texts.findIndex(isClosingFence) : -1
  let fence: string | undefined
  let comment = false
  return texts.map((text, at): Line => {
    const line = (kind: LineKind): Line => ({ at, text, kind, indent: indentOf(text) })
    if (at <= close) return line(at === 0 || at === close ? 'rule' : 'front')
    const mark = CODE.exec(text)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined
      return line('code')
    }
    if (mark !== undefined) {
      fence = mark
      return line('code')
    }
    const opens = COMMENT.test(text)
    if (comment || opens) {
      comment = !text.includes('-->')
      return line('code')
    }
    return line(kindOf(text))
  })
}

function isClosingFence(text: string, at: number): boolean {
  return at > 0 && text.trimEnd() === '---'
}

function kindOf(text: string): LineKind {
  if (text.trim() === '') return 'blank'
  if (HEADING.test(text)) return 'heading'
  if (RULE.test(text)) return 'rule'
  if (/^\s*\|/.test(text)) return 'table'
  return ITEM.test(text) ? 'item' : 'text'
}

function indentOf(text: string): number {
  const lead = /^[ \t]*/.exec(text)?.[0] ?? ''
  return lead.replaceAll('\t', '    ').length
}
