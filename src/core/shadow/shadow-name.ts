/**
 * Names of shadow refs: `refs/ledger/shadow/<base7>-<worktree6>`.
 *
 * The short name is for people and proves nothing: two bases may begin with the same seven digits, and the names of
 * two worktrees may have hashes that begin with the same six. The chain's record therefore contains the full base and
 * the worktree's name. If the short name is taken by another chain, the long name is used, which cannot clash because
 * it contains both in full.
 */

import { createHash } from 'node:crypto'

export const SHADOW_PREFIX = 'refs/ledger/shadow/'

/** What a chain belongs to. */
export interface ShadowKey {
  /** Full commit id; undefined before the first commit. */
  readonly base: string | undefined
  /** The worktree's name; empty for the main one. */
  readonly worktree: string
}

export function shadowName(key: ShadowKey): string {
  return `${SHADOW_PREFIX}${baseOf(key).slice(0, 7)}-${worktreeHash(key.worktree).slice(0, 6)}`
}

/** For a key whose short name is taken by another key. */
export function longShadowName(key: ShadowKey): string {
  return `${SHADOW_PREFIX}${baseOf(key)}-${worktreeHash(key.worktree)}`
}

/** False for a ref that is certainly another worktree's. Only the record proves that it is this one's. */
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
