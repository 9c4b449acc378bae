/**
 * A line that keeps git from taking one of our files for a renamed other one.
 *
 * When both sides of a merge archived an event, its file is gone on both; a similar file that one of
 * them added is then a rename to git, and the merge a conflict (rename/delete). No attribute switches
 * that off. So a file of ours is more than half unlike every other file: git calls files similar from
 * half their bytes on, counted in lines that are cut every 64 bytes (git's `diffcore-delta.c`). See
 * docs/decisions/0013.
 */

import { createHash } from 'node:crypto'

/** How a guard line begins. */
export const GUARD_START = '# rename-guard: '
/** Bytes that git compares as one. */
const SPAN = 64
/** No guard is longer: in larger files git's own count is too coarse for it to help. */
const MAX_SPANS = 4096

/** The guard of a text, one line without its line break. `unlike`: bytes of a guard in the text. */
export function renameGuard(text: string, unlike = 0): string {
  const alike = Buffer.byteLength(text) + 1 - unlike
  // An eighth more than half: two spans in a thousand are equal by chance.
  const wanted = Math.floor(((alike * 9) / 8 - unlike) / SPAN) + 1
  const spans = Math.min(MAX_SPANS, Math.max(1, wanted))
  const seed = createHash('sha256').update(text).digest()
  let line = GUARD_START
  let words = ''
  for (let i = 0; i < spans; i++) {
    if (i % 8 === 0) words = createHash('sha256').update(seed).update(String(i)).digest('hex')
    line += words.slice((i % 8) * 8, (i % 8) * 8 + 8)
    line = line.padEnd((i + 1) * SPAN, '.')
  }
  return line
}

/** What may follow a guard line: the end of the file, or of the fence that the line stands in. */
export const AFTER_GUARD = /^(?:`{3,}\r?\n?)?$/

/** The text without its guard line, which says nothing. */
export function withoutGuard(text: string): string {
  const at = text.lastIndexOf(`\n${GUARD_START}`) + 1
  const end = at === 0 ? -1 : text.indexOf('\n', at)
  const rest = text.slice(end + 1)
  return end !== -1 && AFTER_GUARD.test(rest) ? text.slice(0, at) + rest : text
}

/**
 * The text of an event that takes another one's place: with a guard line of its own. With the old one, git
 * would take the new file for the old one, renamed.
 */
export function withOwnGuard(text: string): string {
  const lines = withoutGuard(`${text.trimEnd()}\n`).trimEnd().split('\n')
  const isFenced = /^`{3,}\s*$/.test(lines.at(-1) ?? '')
  const guard = renameGuard(`${lines.join('\n')}\n`)
  return `${lines.toSpliced(isFenced ? -1 : lines.length, 0, guard).join('\n')}\n`
}
