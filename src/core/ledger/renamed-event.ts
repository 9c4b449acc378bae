/** The text of an event that takes another one's place: the same, with a guard line of its own. */

import { GUARD_START, renameGuard } from './rename-guard.ts'

/**
 * An old guard would make git take the new file for the old one, renamed. It stays where it stood; a text
 * without one gets it as the last line of its body.
 */
export function withOwnGuard(text: string): string {
  const lines = text.replace(/\n*$/, '').split('\n')
  const old = lines.findLastIndex((line) => line.startsWith(GUARD_START))
  const rest = lines.filter((_, i) => i !== old)
  const isFenced = /^`{3,}\s*$/.test(rest.at(-1) ?? '')
  const at = old === -1 ? rest.length - (isFenced ? 1 : 0) : old
  return `${rest.toSpliced(at, 0, renameGuard(`${rest.join('\n')}\n`)).join('\n')}\n`
}

/** The text without its guard line, whose hex digits say nothing. */
export function withoutGuard(text: string): string {
  const lines = text.split('\n')
  const old = lines.findLastIndex((line) => line.startsWith(GUARD_START))
  return old === -1 ? text : lines.toSpliced(old, 1).join('\n')
}
