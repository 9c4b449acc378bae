/**
 * Chains of shadow commits: reads what their tips hold, and moves their refs.
 *
 * Several sessions and processes may write to one chain at once. Every change is a function of what the tip
 * holds (`advance-ref.ts`), so no part is lost.
 */

import { LedgerError } from '../../core/errors/errors.ts'
import { nameToText, textToName, TREE_MODE } from '../../core/git/objects.ts'
import { isSessionId } from '../../core/session/session-state.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import type { ShadowKey } from '../../core/shadow/shadow-name.ts'
import {
  isSameKey,
  longShadowName,
  mayBeOfWorktree,
  SHADOW_PREFIX,
  shadowName,
} from '../../core/shadow/shadow-name.ts'
import type { LeftOut, ShadowRecord } from '../../core/shadow/shadow-record.ts'
import {
  parseLeftOut,
  parseRecord,
  renderLeftOut,
  renderRecord,
} from '../../core/shadow/shadow-record.ts'
import { advanceRef } from './advance-ref.ts'
import { entriesOf, readCommit, textOf, writeTexts } from './git-trees.ts'
import type { SessionContext } from './session-context.ts'

/** The tip's tree, down to the level that sessions share. */
export interface ChainContents extends PendingEvents {
  /** Trees of `sessions/<id>`. */
  readonly sessions: ReadonlyMap<string, string>
}

export interface PendingEvents {
  /** Blob ids by name. */
  readonly events: ReadonlyMap<string, string>
  /** Events that are only named, not stored. */
  readonly leftOut: readonly LeftOut[]
}

export interface Chain extends ChainContents {
  readonly ref: string
  readonly record: ShadowRecord
  readonly commit: string
  /** Commit time, as Unix time in seconds. */
  readonly at: number
  readonly tree: string
}

/** Chains as read at one moment. */
export interface Chains {
  readonly chains: readonly Chain[]
  /** Refs that this release cannot read as chains. */
  readonly unreadable: readonly string[]
}

/** Chains of one worktree (and of others whose refs look alike), or of all if none is given. Changes nothing. */
export async function readChains(context: SessionContext, worktree?: string): Promise<Chains> {
  const chains: Chain[] = []
  const unreadable: string[] = []
  for (const { name, oid } of await context.refs.list(SHADOW_PREFIX)) {
    if (worktree !== undefined && !mayBeOfWorktree(name, worktree)) continue
    const chain = await readChain(context, name, oid)
    if (chain === undefined) unreadable.push(name)
    else chains.push(chain)
  }
  return { chains, unreadable }
}

/** Undefined if the commit is not a shadow commit of this release or cannot be read. */
async function readChain(
  { repository }: SessionContext,
  ref: string,
  commit: string,
): Promise<Chain | undefined> {
  try {
    const { tree, committedAt: at } = await readCommit(repository, commit)
    const entries = await entriesOf(repository, tree)
    const oidOf = (name: string) => entries.find((entry) => entry.name === name)?.oid
    const record = parseRecord(await textOf(repository, oidOf('shadow.json')))
    if (record === undefined) return undefined
    const sessions = await entriesOf(repository, oidOf('sessions'))
    const events = await entriesOf(repository, oidOf('events'))
    // A name that is not a session id could be a path that leaves the folder into which files are recovered.
    const parts = sessions.map(({ name, oid }) => [nameToText(name), oid] as const)
    return {
      ref,
      record,
      commit,
      at,
      tree,
      sessions: new Map(parts.filter(([id]) => isSessionId(id))),
      events: new Map(events.map(({ name, oid }) => [name, oid])),
      leftOut: parseLeftOut(await textOf(repository, oidOf('left-out'))),
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return undefined
  }
}

/** The chain with this key, and the ref name that it has or will have. */
export function chainOf(
  { chains, unreadable }: Chains,
  key: ShadowKey,
): { readonly ref: string; readonly chain: Chain | undefined } {
  const [long, short] = [longShadowName(key), shadowName(key)]
  const own = chains.filter(({ record }) => isSameKey(record, key))
  const chain = own.find(({ ref }) => ref === long) ?? own.find(({ ref }) => ref === short)
  if (chain !== undefined) return { ref: chain.ref, chain }
  // The short name is taken by another base or worktree, or by a ref that cannot be read: leave it alone.
  const isTaken = unreadable.includes(short) || chains.some(({ ref }) => ref === short)
  return { ref: isTaken ? long : short, chain }
}

/**
 * The chains of its worktree in which a session has a part, the chain of its base first. Usually there is one; there may
 * be another if a rebase moved HEAD or a process died between two writes.
 */
export function homesOf(chains: Chains, { id, base, worktree }: SessionState): Chain[] {
  const homes = chains.chains.filter(
    ({ record, sessions }) => record.worktree === worktree.name && sessions.has(id),
  )
  const { ref } = chainOf(chains, { base, worktree: worktree.name })
  return homes.toSorted((a, b) => Number(b.ref === ref) - Number(a.ref === ref))
}

export interface ChainChange {
  readonly why: string
  /** Computes the new contents from the present ones. May be called more than once. */
  readonly apply: (now: ChainContents) => ChainContents | Promise<ChainContents>
  /** The chains as last read; they are read again if another process has moved this chain since. */
  readonly known?: Chains
  /** Tips of other chains, which become parents. */
  readonly joined?: readonly string[]
  /** Start the chain afresh, so that what was removed does not survive in its history. */
  readonly isCut?: boolean
}

/** False if the chain already holds that. Throws `LOCKED` if other processes keep moving it. */
export async function changeChain(
  context: SessionContext,
  record: ShadowRecord,
  { why, apply, known, joined = [], isCut = false }: ChainChange,
): Promise<boolean> {
  const what = `the shadow data of ${record.path}`
  let last = known
  const { hasMoved } = await advanceRef(context, what, async () => {
    const { ref, chain } = chainOf(last ?? (await readChains(context, record.worktree)), record)
    last = undefined
    const now = chain ?? { sessions: new Map(), events: new Map(), leftOut: [] }
    const contents = await apply(now)
    const from = chain?.commit
    const { sessions, events, leftOut } = contents
    const isEmpty = sessions.size === 0 && events.size === 0 && leftOut.length === 0
    if (chain === undefined && isEmpty) return { ref, from, to: from }
    const tree = writeContents(context, record, contents)
    if (tree === chain?.tree) return { ref, from, to: from }
    const before = from === undefined || isCut ? [] : [from]
    const parents = [...new Set([...before, ...joined])]
    return { ref, from, to: { tree, parents, message: `${why}\n` } }
  })
  return hasMoved
}

function writeContents(
  context: SessionContext,
  record: ShadowRecord,
  { sessions, events, leftOut }: ChainContents,
): string {
  const { objects } = context
  const texts = { 'shadow.json': renderRecord(record), 'left-out': renderLeftOut(leftOut) }
  const entries = writeTexts(context, texts)
  const folders = {
    events: [...events].map(([name, oid]) => ({ mode: '100644', name, oid })),
    sessions: [...sessions].map(([id, oid]) => ({ mode: TREE_MODE, name: textToName(id), oid })),
  }
  for (const [name, below] of Object.entries(folders)) {
    if (below.length > 0) entries.push({ mode: TREE_MODE, name, oid: objects.tree(below) })
  }
  return objects.tree(entries)
}
