/** Paths of files in shadow data. Names in git are bytes, while a session's state is JSON text. */

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
 * The path, relative to the top of the worktree, of a file as named by a tool: absolute, or relative to `folder`.
 * Undefined outside the worktree, in git's own folder, and for impossible names.
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

/** Characters that HFS+, a file system of macOS, leaves out of names (git's utf8.c, `core.protectHFS`). */
const LEFT_OUT_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** True for a path that git allows in a tree: it does not lead outside or into git's folder. */
export function isTreePath(path: string): boolean {
  const names = path.replace(LEFT_OUT_BY_HFS, '').split('/')
  return names.every((name) => !/^(?:|\.|\.\.|\.git)$/i.test(name))
}

/** True for files that the ledger itself keeps: they are not a session's work. */
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
