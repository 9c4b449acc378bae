/**
 * Names of shadow refs: `refs/ledger/shadow/<base7>-<worktree6>`.
 *
 * The short name is for people; it does not prove anything. Two bases may begin with the same seven
 * digits, two worktrees' names hash to the same six. So the full base and the worktree's name are in the
 * chain's record, and whoever finds another one's record under the short name takes the long name, which
 * cannot clash: both in full.
 */

import { createHash } from 'node:crypto'

export const SHADOW_PREFIX = 'refs/ledger/shadow/'

/** What a chain lies on. */
export interface ShadowKey {
  /** Full commit id; undefined before a first commit. */
  readonly base: string | undefined
  /** The worktree's name; empty for the main one. */
  readonly worktree: string
}

export function shadowName(key: ShadowKey): string {
  return `${SHADOW_PREFIX}${baseOf(key).slice(0, 7)}-${worktreeHash(key.worktree).slice(0, 6)}`
}

/** For a key whose short name is taken by another one. */
export function longShadowName(key: ShadowKey): string {
  return `${SHADOW_PREFIX}${baseOf(key)}-${worktreeHash(key.worktree)}`
}

/** False for a ref that is certainly another worktree's. Only the record says that it is this one's. */
export function mayBeOfWorktree(ref: string, worktree: string): boolean {
  const hash = /-([0-9a-f]{6,64})$/.exec(ref)?.[1]
  return hash !== undefined && worktreeHash(worktree).startsWith(hash)
}

export function isSameKey(a: ShadowKey, b: ShadowKey): boolean {
  return a.base === b.base && a.worktree === b.worktree
}

function baseOf({ base }: ShadowKey): string {
  return base ?? '0'.repeat(40)
}

function worktreeHash(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
