/**
 * A line that keeps git from detecting one of our files as a rename of another.
 *
 * When both sides of a merge archived an event, its file is gone on both. If one side also added a similar file, git
 * sees a rename, and the merge is a conflict (rename/delete). No attribute switches that off. So each of our files
 * differs from every other file in more than half of its bytes: git considers files similar if half of their bytes
 * match, compared in lines that are cut every 64 bytes (git's `diffcore-delta.c`). See docs/decisions/0013.
 */

import { createHash } from 'node:crypto'

/** Beginning of a guard line. */
export const GUARD_START = '# rename-guard: '
/** Bytes that git compares as one unit. */
const SPAN = 64
/** Maximum length of a guard: in larger files git's comparison is too coarse for a guard to help. */
const MAX_SPANS = 4096

/** The guard for a text: one line, without a line break. `unlike`: bytes of a guard that the text already contains. */
export function renameGuard(text: string, unlike = 0): string {
  const alike = Buffer.byteLength(text) + 1 - unlike
  // An eighth more than half, because two in a thousand spans are equal by chance.
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

/** What may follow a guard line: the end of the file, or the end of the fence that contains the line. */
export const AFTER_GUARD = /^(?:`{3,}\r?\n?)?$/

/** The text without its guard line. */
export function withoutGuard(text: string): string {
  const at = text.lastIndexOf(`\n${GUARD_START}`) + 1
  const end = at === 0 ? -1 : text.indexOf('\n', at)
  const rest = text.slice(end + 1)
  return end !== -1 && AFTER_GUARD.test(rest) ? text.slice(0, at) + rest : text
}

/**
 * The text of an event that replaces another one, with a new guard line. With the old guard line, git would detect the
 * new file as a rename of the old one.
 */
export function withOwnGuard(text: string): string {
  const lines = withoutGuard(`${text.trimEnd()}\n`).trimEnd().split('\n')
  const isFenced = /^`{3,}\s*$/.test(lines.at(-1) ?? '')
  const guard = renameGuard(`${lines.join('\n')}\n`)
  return `${lines.toSpliced(isFenced ? -1 : lines.length, 0, guard).join('\n')}\n`
}
