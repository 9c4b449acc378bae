/** Paths of files in shadow data. Git's names are bytes, a session's state is JSON text. */

import type { ByteName } from '../git/objects.ts'
import { decodeBytes, encodeBytes } from '../text/byte-text.ts'

export function pathOfName(name: ByteName): string {
  return decodeBytes(Buffer.from(name, 'latin1'))
}

/** The inverse of `pathOfName`. */
export function nameOfPath(path: string): ByteName {
  return encodeBytes(path).toString('latin1')
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
