/**
 * Splits an event file into front matter and body. The only module that uses gray-matter.
 *
 * gray-matter runs `---js` front matter as code by default, so a branch that somebody pushes could execute anything
 * at merge time. None of its own engines ever runs here: the language is checked first, every engine is replaced, and
 * the YAML text is returned unparsed.
 */

import matter from 'gray-matter'
import type { ProblemCode } from './problem.ts'

export interface SplitEvent {
  /** The YAML between the fences; it starts on line 2 of the file. */
  readonly front: string
  readonly body: string
  /** 1-based line of the file on which `body` starts. */
  readonly bodyLine: number
}

const FENCE = '---'
/** Limit for white space in a row, in UTF-16 units: gray-matter's comment pattern is quadratic in its length. */
const MAX_BLANK_RUN = 1000

const refuse = (): never => {
  throw new Error('only YAML front matter is read')
}
const asText = { parse: () => ({}), stringify: refuse }
const OPTIONS = {
  language: 'yaml',
  // gray-matter resolves its aliases to the names `javascript` and `coffee`.
  engines: { yaml: asText, javascript: refuse, json: refuse, coffee: refuse, toml: refuse },
}

/** Splits `text` (LF line ends, no BOM). Returns a problem code if there is no usable front matter. */
export function splitFrontMatter(text: string): SplitEvent | ProblemCode {
  if (!text.startsWith(FENCE) || text.startsWith(`${FENCE}-`)) return 'no-front-matter'
  const language = matter.language(text).name.toLowerCase()
  if (language !== '' && language !== 'yaml' && language !== 'yml') return 'front-matter-language'
  const close = closingFence(text)
  if (close === undefined) return 'unclosed-front-matter'
  if (hasLongBlankRun(text, close)) return 'front-matter-yaml'

  // gray-matter gets only the part up to the closing fence; the rest may be long.
  const file = matter(text.slice(0, close + 1 + FENCE.length), OPTIONS)
  const bodyStart = text.indexOf('\n', close + 1)
  const body = bodyStart === -1 ? '' : text.slice(bodyStart + 1)
  const front = (file as { matter?: string }).matter ?? ''
  return { front: front.replace(/^\n/, ''), body, bodyLine: countLines(front) + 3 }
}

/** Offset of the line break before the first line that is exactly the fence. */
function closingFence(text: string): number | undefined {
  for (let at = text.indexOf('\n---'); at !== -1; at = text.indexOf('\n---', at + 1)) {
    const end = text.indexOf('\n', at + 1)
    const line = text.slice(at + 1, end === -1 ? undefined : end)
    // gray-matter ends the front matter here whatever follows, so any other line is an error.
    return line.trimEnd() === FENCE ? at : undefined
  }
  return undefined
}

function hasLongBlankRun(text: string, end: number): boolean {
  let run = 0
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i)
    const isBlank = unit <= 32 || (unit >= 160 && /\s/.test(text.charAt(i)))
    run = isBlank ? run + 1 : 0
    if (run > MAX_BLANK_RUN) return true
  }
  return false
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
