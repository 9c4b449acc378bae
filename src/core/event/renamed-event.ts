/** The text of an event that takes another one's place: the same, with a guard line of its own. */

import { GUARD_START, renameGuard } from './rename-guard.ts'

/** With the old guard, git would take the new file for the old one, renamed. */
export function withOwnGuard(text: string): string {
  const lines = withoutGuard(text).trimEnd().split('\n')
  const isFenced = /^`{3,}\s*$/.test(lines.at(-1) ?? '')
  const guard = renameGuard(`${lines.join('\n')}\n`)
  return `${lines.toSpliced(isFenced ? -1 : lines.length, 0, guard).join('\n')}\n`
}

/** The text without its guard line, whose hex digits say nothing. */
export function withoutGuard(text: string): string {
  const lines = text.split('\n')
  const old = lines.findLastIndex((line) => line.startsWith(GUARD_START))
  return old === -1 ? text : lines.toSpliced(old, 1).join('\n')
}
