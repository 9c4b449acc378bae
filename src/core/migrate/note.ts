/**
 * The proof that nothing is lost: every line whose words are not in a field goes into the note.
 *
 * The format readers only *claim* that a field contains a line. Here each claim is checked against the line itself, so
 * a reader's mistake can cause a repetition but never loses a line.
 */

import type { Claim } from './draft.ts'
import { isMarkup } from './labels.ts'

/** The lines of a source, and the line that each belongs to. */
export interface SourceLines {
  readonly lines: readonly string[]
  /** The heading, or the first line of the item, that a line belongs to. */
  readonly parents: readonly (number | undefined)[]
  /** Rules, and the delimiters of front matter. */
  readonly rules: ReadonlySet<number>
}

/** The lines that are in no field, verbatim, below their headings. */
export function noteOf(
  source: SourceLines,
  claims: readonly Claim[],
  structure: readonly number[],
): string {
  const wanted = new Set<number>()
  const held = new Set(structure.filter((i) => isMarkup(source.lines[i] ?? '')))
  for (const [i, texts] of textsByLine(claims)) {
    if (isHeld(fold(source.lines[i] ?? ''), texts)) held.add(i)
  }
  source.lines.forEach((line, i) => {
    if (line.trim() === '' || source.rules.has(i) || held.has(i)) return
    for (let at: number | undefined = i; at !== undefined && !wanted.has(at);) {
      wanted.add(at)
      at = source.parents[at]
    }
  })
  return joinLines(source.lines, wanted)
}

/** The texts claimed for each line. A flow list has several items on one line. */
function textsByLine(claims: readonly Claim[]): Map<number, string[]> {
  const byLine = new Map<number, string[]>()
  for (const { texts, lines } of claims) {
    const folded = texts.map(fold).filter((text) => text !== '')
    for (const i of lines) {
      const known = byLine.get(i)
      if (known === undefined) byLine.set(i, [...folded])
      else if (known.length <= MAX_TEXTS) known.push(...folded)
    }
  }
  return byLine
}

/** Lines with more texts are tables or dumps and are kept verbatim. */
const MAX_TEXTS = 100

/** True if the texts contain every word of the line. All of them are folded. */
function isHeld(line: string, texts: readonly string[]): boolean {
  if (texts.length > MAX_TEXTS) return false
  if (strippedForms(line).some((core) => texts.some((text) => indexOfWords(text, core) !== -1)))
    return true
  let rest = line
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    const at = indexOfWords(rest, text)
    if (at !== -1) rest = `${rest.slice(0, at)} ${rest.slice(at + text.length)}`
  }
  return isMarkup(rest)
}

/** The position of `part` in `text` as whole words (`a` is not in `heading`), or -1. */
function indexOfWords(text: string, part: string): number {
  const isEdge = (at: number) => isMarkup(text.charAt(at - 1)) || isMarkup(text.charAt(at))
  let at = text.indexOf(part)
  while (at !== -1 && !(isEdge(at) && isEdge(at + part.length)))
    at = text.indexOf(part, at + part.length)
  return at
}

/** The line with list marker, check box, label, and quotes removed one after the other. */
function strippedForms(line: string): string[] {
  const item = line.replace(/^(?:[-*+]|\d{1,9}[.)]) /, '')
  const open = item.replace(/^\[(?:[ xX]|->|\u2192)\] /, '')
  const label = /^[*_]*[\p{L} _'-]{1,30}[*_]*:[*_]* /u.exec(open)?.[0]
  const bare = label !== undefined && isMarkup(label) ? open.slice(label.length) : open
  const quoted = /^(["'`])(.*)\1$/.exec(bare)?.[2] ?? bare
  return [line, item, open, bare, quoted].filter((core) => core !== '')
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Joins the wanted lines. Blank lines are kept if both of their neighbours are. */
function joinLines(lines: readonly string[], wanted: ReadonlySet<number>): string {
  const note: string[] = []
  let blank = 0
  let gap = false
  lines.forEach((line, i) => {
    if (wanted.has(i)) {
      const space = gap ? Math.min(blank, 1) : blank
      if (note.length > 0) for (let n = 0; n < space; n++) note.push('')
      note.push(line)
      blank = 0
      gap = false
    } else if (line.trim() === '') blank += 1
    else gap = true
  })
  return note.join('\n')
}
