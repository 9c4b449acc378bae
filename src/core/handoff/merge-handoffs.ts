/**
 * Merges two versions of a handoff that both sides changed. Known parts are merged by meaning: items have one state,
 * registers one value, phases one place. All other text is merged as text, section by section; only there can
 * conflicts occur. The result does not depend on which side is called ours (docs/decisions/0035).
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
  const breaks = mapSides(sides, lineBreaksOf)
  // A uniform line break style is not a difference between lines. Mixed breaks are part of their lines.
  const isMixed = [breaks.base, breaks.ours, breaks.theirs].includes('mixed')
  const lines = isMixed ? sides : mapSides(sides, (text) => text.replaceAll('\r\n', '\n'))
  const { outline, isConflict } = mergeOutlines(mapSides(lines, readOutline), mergeText)
  const text = renderOutline(outline)
  // The merged text must read back as the merged outline.
  const isReadBack = shapeOf(readOutline(text)) === shapeOf(outline)
  if (!isConflict && !isReadBack) return mergeText(base, ours, theirs)
  const eol = isMixed ? '\n' : mergeWords(breaks)
  return { text: eol === '\n' ? text : text.replaceAll('\n', eol), isConflict }
}

/**
 * An open fence or comment swallows anything that a merge puts after it. Front matter without an end does the same
 * up to the next `---`, and would take lines out of their sections.
 */
function isOpen(text: string): boolean {
  const { closer, front, lines } = readDocument(text)
  if (closer !== undefined) return true
  if (front === undefined) return lines[0]?.text.trimEnd() === '---'
  return front.some((line) => line.text.startsWith('##'))
}

function lineBreaksOf(text: string): string {
  const [all, windows] = [/\n/g, /\r\n/g].map((sign) => text.match(sign)?.length ?? 0)
  if (windows === 0) return '\n'
  return all === windows ? '\r\n' : 'mixed'
}

/** The lines of each segment, by entry. */
function shapeOf({ front, segments }: Outline): string {
  return [...(front ? [front] : []), ...segments]
    .map(({ heading, entries, text }) => [
      ...(heading === undefined ? [] : [heading]),
      ...(entries?.map(({ lines }) => lines) ?? text),
    ])
    .map((shape) => JSON.stringify(shape))
    .join('\n')
}
