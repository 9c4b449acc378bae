/**
 * Two sides changed one handoff: one document from three. What has a meaning is merged by it (items have
 * one state, registers one value, phases one place); all other text is merged as text, section by section,
 * and only there a conflict can stand. Nothing depends on which side is called ours
 * (docs/decisions/0035).
 */

import { readDocument } from '../document/document.ts'
import { readOutline, renderOutline } from './merge-outline.ts'
import type { Outline } from './merge-outline.ts'
import { mergeOutlines } from './merge-outlines.ts'
import type { TextMerge, TextMerged } from './merge-outlines.ts'
import { mapSides, mergeWords } from './merge-sides.ts'

export function mergeHandoffs(
  base: string,
  ours: string,
  theirs: string,
  mergeText: TextMerge,
): TextMerged {
  if (ours === theirs || theirs === base) return { text: ours, isConflict: false }
  if (ours === base) return { text: theirs, isConflict: false }
  if ([base, ours, theirs].some(isOpen)) return mergeText(base, ours, theirs)
  const sides = { base, ours, theirs }
  const breaks = mapSides(sides, breaksOf)
  // Line breaks of one kind are no difference between lines; mixed ones are part of their lines.
  const isMixed = [breaks.base, breaks.ours, breaks.theirs].includes('mixed')
  const lines = isMixed ? sides : mapSides(sides, (text) => text.replaceAll('\r\n', '\n'))
  const { outline, isConflict } = mergeOutlines(mapSides(lines, readOutline), mergeText)
  const text = renderOutline(outline)
  // What the next one reads must be what was meant.
  if (!isConflict && !isReadAs(outline, text)) return mergeText(base, ours, theirs)
  const eol = isMixed ? '\n' : mergeWords(breaks)
  return { text: eol === '\n' ? text : text.replaceAll('\n', eol), isConflict }
}

/**
 * An open fence or comment swallows what a merge puts behind it; so does front matter that nobody closed,
 * up to a `---` further down: what it swallowed would be taken out of its sections.
 */
function isOpen(text: string): boolean {
  const { closer, front, lines } = readDocument(text)
  if (closer !== undefined) return true
  if (front === undefined) return lines[0]?.text.trimEnd() === '---'
  return front.some((line) => line.text.startsWith('##'))
}

function breaksOf(text: string): string {
  const [all, windows] = [/\n/g, /\r\n/g].map((sign) => text.match(sign)?.length ?? 0)
  if (windows === 0) return '\n'
  return all === windows ? '\r\n' : 'mixed'
}

function isReadAs(meant: Outline, text: string): boolean {
  return shapeOf(readOutline(text)) === shapeOf(meant)
}

/** The lines of each segment, entry by entry. */
function shapeOf({ front, segments }: Outline): string {
  return [...(front ? [front] : []), ...segments]
    .map(({ heading, entries, text }) => [
      ...(heading === undefined ? [] : [heading]),
      ...(entries?.map(({ lines }) => lines) ?? text),
    ])
    .map((shape) => JSON.stringify(shape))
    .join('\n')
}
