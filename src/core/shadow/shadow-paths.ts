/**
 * Paths of files in shadow data.
 *
 * Git's names are bytes, a session's state is JSON text: a name that is no UTF-8 is written with its
 * bytes from 0x80 on as U+DC80 to U+DCFF (as Python's surrogateescape), so that nothing is lost.
 */

import type { ByteName } from '../git/objects.ts'
import { textToName } from '../git/objects.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function pathOfName(name: ByteName): string {
  try {
    return utf8.decode(Buffer.from(name, 'latin1'))
  } catch {
    return name.replace(/[\u0080-\u00ff]/g, (byte) =>
      String.fromCharCode(0xdc00 + byte.charCodeAt(0)),
    )
  }
}

/** The inverse of `pathOfName`. */
export function nameOfPath(path: string): ByteName {
  if (path.isWellFormed()) return textToName(path)
  return path.replace(/[\udc80-\udcff]/g, (unit) =>
    String.fromCharCode(unit.charCodeAt(0) - 0xdc00),
  )
}

/**
 * The path from the worktree's top of a file as a tool named it: absolute, or relative to `folder`.
 * Undefined outside the worktree, in git's own folder, and for names that no file can have.
 */
export function pathInWorktree(
  named: string,
  tops: readonly string[],
  folder: string,
): string | undefined {
  if (named.includes('\0')) return undefined
  const absolute = normal(named.startsWith('/') ? named : `${folder}/${named}`)
  const top = tops.find((one) => absolute.startsWith(`${normal(one)}/`))
  if (top === undefined) return undefined
  const path = absolute.slice(normal(top).length + 1)
  return isTreePath(path) ? path : undefined
}

/** True for a path that git would have in a tree: nothing that leads out of it or into git's folder. */
export function isTreePath(path: string): boolean {
  return path.split('/').every((part) => !/^(?:|\.|\.\.|\.git)$/i.test(part))
}

/** True for what the ledger itself keeps: it is no work of a session. */
export function isLedgerPath(path: string, root: string): boolean {
  const below = root === '' ? '' : `${root}/`
  if (path === `${below}current.md`) return true
  return path.startsWith(`${below}events/`) || path.startsWith(`${below}archive/`)
}

function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
