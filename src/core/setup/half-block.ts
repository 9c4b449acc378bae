/**
 * Half a block: a marker was deleted, or the file was cut in the middle of it.
 *
 * What stays of our lines around the marker that is left can be told from the user's: they name our
 * variables, or are lines of the block as it is written today. A line that anybody could have written
 * (`fi`) is ours unless it closes something of the user's.
 */

import { BLOCK, END, START } from './marked-block.ts'

/** Nobody else's lines hold these, whatever release wrote them. */
const NAMES = /\bledger_git_|\bLEDGER_GIT_DONE\b|\bmerge=ledger\b|^# <<< ledger-git\b/
const CLOSES = /^\s*(?:fi|esac|done)\b/
const OPENS = /^\s*(?:if|case|for|while|until)\b/
const CLOSED_AT_ONCE = /\b(?:fi|esac|done)\s*$/
/** Lines of a block that say nothing by themselves. */
const COMMON = /^\s*(?:fi|esac|done|else|exec <\/dev\/null)\r?$/

/** True when a marker stands alone. */
export function hasHalfBlock(text: string): boolean {
  return /^# (?:>>> ledger-git\b|<<< ledger-git <<<)/m.test(text.replace(BLOCK, ''))
}

/** The text without half blocks; `block`: one as it is written today. Whole blocks stay. */
export function withoutHalfBlocks(text: string, block: string): string {
  if (!hasHalfBlock(text)) return text
  const known = new Set(block.split('\n').filter((line) => line !== ''))
  const whole = text.match(BLOCK) ?? []
  const between = text.split(BLOCK).map((part) => withoutHalves(part, known))
  return between.map((part, i) => part + (whole[i] ?? '')).join('')
}

function withoutHalves(text: string, known: ReadonlySet<string>): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const ours = new Set<number>()
  lines.forEach((line, i) => {
    if (line.startsWith(START)) for (const j of below(lines, i, known)) ours.add(j)
    if (line.startsWith(END)) for (const j of above(lines, i, known)) ours.add(j)
  })
  return lines.filter((_, i) => !ours.has(i)).join('')
}

/** What follows a start: our lines, and what closes them. */
function* below(lines: readonly string[], start: number, known: ReadonlySet<string>) {
  yield start
  for (let depth = 0, i = start + 1; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const isOurs = COMMON.test(bare(line)) ? depth > 0 : isOwn(line, known)
    if (!isOurs) return
    depth += depthOf(line)
    yield i
  }
}

/** What leads to an end: our lines, and between or above them what closes nothing of the user's. */
function* above(lines: readonly string[], end: number, known: ReadonlySet<string>) {
  let first = end
  for (let i = end - 1; i >= 0; i--) {
    const line = lines[i] ?? ''
    if (isOwn(line, known)) first = i
    else if (!COMMON.test(bare(line))) break
  }
  const depth = lines.slice(0, first).reduce((sum, line) => sum + depthOf(line), 0)
  // Those right above the first sure one: what they closed was cut off, where nothing else is open.
  for (let left = depth; first > 0 && COMMON.test(bare(lines[first - 1] ?? '')); first--) {
    const closed = depthOf(lines[first - 1] ?? '')
    if (left - closed > 0) break
    left -= closed
  }
  for (let i = first; i <= end; i++) yield i
}

function isOwn(line: string, known: ReadonlySet<string>): boolean {
  if (line.startsWith(START) || line.startsWith(END)) return false
  const text = bare(line)
  if (COMMON.test(text)) return false
  // The end of a file that was cut in the middle of a line.
  const isCut = !line.endsWith('\n')
  return (
    NAMES.test(text) || known.has(text) || (isCut && [...known].some((own) => own.startsWith(text)))
  )
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, '')
}

/** How many of the shell's brackets a line leaves open. */
function depthOf(line: string): number {
  if (CLOSES.test(line)) return -1
  return OPENS.test(line) && !CLOSED_AT_ONCE.test(bare(line)) ? 1 : 0
}
