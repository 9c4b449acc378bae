/**
 * Moves a session's part between chains: it is put into one chain and removed from all others, and refs that nobody
 * needs are deleted.
 *
 * The part is always added to the new chain before it leaves the old one. If the process dies in between, the part is
 * in both. A ref is deleted only if it is proven for exactly the deleted tip that nothing in it is needed:
 * - no session needs its part;
 * - no running session has this base;
 * - every event is in the other chain or in a commit.
 *
 * When in doubt, the ref is kept.
 */

import type { FileVersion } from '../../core/checkpoint/condensation.ts'
import type { SessionState } from '../../core/session/session-state.ts'
import { needsNoShadow } from '../../core/session/session-state.ts'
import type { ShadowKey } from '../../core/shadow/shadow-name.ts'
import type { ShadowRecord } from '../../core/shadow/shadow-record.ts'
import type { SessionContext } from './session-context.ts'
import type { Chain, Chains, PendingEvents } from './shadow-chain.ts'
import { chainOf, changeChain, homesOf, readChains } from './shadow-chain.ts'
import { areAllCommitted, uncommitted } from './shadow-events.ts'
import { collectFiles } from './collect-files.ts'
import { shadowOf, writeShadowSession } from './shadow-session.ts'

export interface Placing {
  readonly why: string
  /** The tree of the part; undefined if the session no longer has one. */
  readonly part: string | undefined
  /** The worktree's chains, as just read. */
  readonly chains: Chains
  /** The chains from which the part and the events come. */
  readonly from: readonly Chain[]
  /** Keep their steps as history. */
  readonly isJoined?: boolean
  /** Remove what is taken out from the history, too. */
  readonly isCut?: boolean
  /** The worktree's current pending events, if they were looked up. */
  readonly pending?: PendingEvents | undefined
}

/** Puts a session's part into the chain of `to` and removes it from the others. False if nothing changed. */
export async function placePart(
  context: SessionContext,
  to: ShadowRecord,
  id: string,
  { why, part, chains, from, isJoined = false, isCut = false, pending }: Placing,
): Promise<boolean> {
  const others = from.filter(({ record }) => record.base !== to.base)
  const hasMoved = await changeChain(context, to, {
    why,
    known: chains,
    isCut: isCut && others.length < from.length,
    joined: isJoined ? others.map(({ commit }) => commit) : [],
    apply: async (now) => {
      const sessions = new Map(now.sessions)
      if (part === undefined) sessions.delete(id)
      else sessions.set(id, part)
      const known = new Map([...others.flatMap(({ events }) => [...events]), ...now.events])
      for (const name of pending?.events.keys() ?? []) known.delete(name)
      const events = new Map([...(await uncommitted(context, known)), ...(pending?.events ?? [])])
      const leftOut = [...others, now].flatMap((chain) => chain.leftOut)
      const named = new Map(leftOut.map((one) => [one.path, one]))
      return { sessions, events, leftOut: pending?.leftOut ?? [...named.values()] }
    },
  })
  for (const { record } of others) await leaveChain(context, record, id, to, isCut)
  const isGone = part === undefined && from.some(({ sessions }) => sessions.has(id))
  if (isGone) await leaveChain(context, to, id, to, isCut)
  return hasMoved
}

/** Removes a session's part from a chain, and removes the ref if nothing else needs it. */
export async function leaveChain(
  context: SessionContext,
  from: ShadowRecord,
  id: string,
  to: ShadowKey,
  isCut: boolean,
): Promise<void> {
  const find = async () => chainOf(await readChains(context, from.worktree), from).chain
  const chain = await find()
  if (chain === undefined || (await removeDone(context, chain, id, to))) return
  if (!chain.sessions.has(id)) return
  await changeChain(context, from, {
    why: `left by session ${id}`,
    isCut,
    apply: (now) => {
      const others = [...now.sessions].filter(([session]) => session !== id)
      return { ...now, sessions: new Map(others) }
    },
  })
  const left = await find()
  if (left !== undefined) await removeDone(context, left, id, to)
}

/** Removes the ref if nobody needs it. False if it is needed, or if it has moved, so that somebody is writing to it. */
async function removeDone(
  context: SessionContext,
  { ref, record, commit, sessions, events }: Chain,
  id: string,
  to: ShadowKey,
): Promise<boolean> {
  const isDone = (session: string) => {
    // Only a state can prove this, and only for the worktree that the session is in now.
    const state = context.sessions.read(session)
    const isOfHere = state?.worktree.name === record.worktree
    return session === id || (state !== undefined && isOfHere && needsNoShadow(state))
  }
  if (![...sessions.keys()].every(isDone)) return false
  // An idle session already has its part here, or has none: its next turn starts at HEAD.
  const isBaseOf = (one: SessionState) =>
    one.id !== id &&
    one.phase !== 'idle' &&
    one.base === record.base &&
    one.worktree.name === record.worktree
  if (context.sessions.listOpen().some(isBaseOf)) return false
  const target = chainOf(await readChains(context, to.worktree), to)
  const held = target.ref === ref ? undefined : target.chain?.events
  const left = new Map([...events].filter(([name, blob]) => held?.get(name) !== blob))
  if (!(await areAllCommitted(context, left))) return false
  return context.refs.remove(ref, commit)
}

/**
 * Moves the events of this worktree's chains that hold only events into the chain of `to`, which is just starting, and
 * removes their refs. The sessions of those chains were condensed at another base.
 */
export async function absorbLeftovers(
  context: SessionContext,
  to: ShadowRecord,
  chains: Chains,
): Promise<void> {
  for (const chain of chains.chains) {
    const { record, sessions } = chain
    if (record.worktree !== to.worktree || record.base === to.base || sessions.size > 0) continue
    const placing = { why: 'events of an older base', part: undefined, chains, from: [chain] }
    await placePart(context, to, NOBODY, placing)
  }
}

/** Removes chains of any worktree that nobody needs any more; they remain if a process died before removing them. */
export async function removeSpentChains(context: SessionContext): Promise<void> {
  const { chains } = await readChains(context)
  for (const chain of chains) await removeDone(context, chain, NOBODY, chain.record)
}

/** No session has an empty id. */
const NOBODY = ''

/**
 * Call this if HEAD has moved. The session's own part and the events move to the chain of the new base; each other
 * session of the chain moves its own part. If the process dies, nothing is lost: the next call does it again.
 */
export async function migrateShadow(
  context: SessionContext,
  state: SessionState,
  base: string,
): Promise<SessionState> {
  if (state.base === base) return state
  const to = { base, worktree: state.worktree.name, path: state.worktree.path }
  const chains = await readChains(context, to.worktree)
  const [home] = homesOf(chains, state)
  const from = home ?? chainOf(chains, { ...to, base: state.base }).chain
  if (from !== undefined && from.record.base !== base) {
    await placePart(context, to, state.id, {
      why: `new base for session ${state.id}`,
      part: home?.sessions.get(state.id),
      chains,
      from: [from],
      isJoined: home !== undefined,
    })
  }
  return { ...state, base }
}

/**
 * Runs after a condensation. Files that no commit holds as the session left them (`files`) start a new chain at `base`,
 * which is the present HEAD. Everything of the session that was condensed is removed, from the history, too.
 *
 * `state` may be the state before or after the condensation: the data is found wherever it is. Without files the session
 * leaves no shadow data, so this also serves to discard a session.
 */
export async function carryForward(
  context: SessionContext,
  state: SessionState,
  { base, files }: { readonly base: string | undefined; readonly files: readonly FileVersion[] },
  known?: Chains,
): Promise<void> {
  const to = { base, worktree: state.worktree.name, path: state.worktree.path }
  const chains = known ?? (await readChains(context, to.worktree))
  await placePart(context, to, state.id, {
    why: `condensed session ${state.id}`,
    part: files.length === 0 ? undefined : await carriedPart(context, chains, state, files),
    chains,
    from: homesOf(chains, state),
    isCut: true,
  })
}

/** The carried files as separate shadow data, without the transcript. */
async function carriedPart(
  context: SessionContext,
  chains: Chains,
  state: SessionState,
  carried: readonly FileVersion[],
): Promise<string> {
  const shadow = await shadowOf(context, chains, state)
  const wanted = new Map(carried.map(({ path, blob }) => [path, blob]))
  const stored = [...shadow.files].filter(([path, { oid }]) => wanted.get(path) === oid)
  const named = shadow.leftOut.filter(({ path }) => wanted.has(path))
  const known = new Set([...stored.map(([path]) => path), ...named.map(({ path }) => path)])
  const deleted = carried.filter(({ blob }) => blob === undefined).map(({ path }) => path)
  // The versions of an open turn are in no step yet.
  const fresh = [...wanted].filter(([path, blob]) => blob !== undefined && !known.has(path))
  const paths = fresh.map(([path]) => path)
  const now = await collectFiles(context, paths, shadow, () => true)
  return writeShadowSession(context, {
    files: new Map([...stored, ...now.files]),
    deleted: [...deleted, ...now.deleted],
    leftOut: [...named, ...now.leftOut],
    more: now.more,
    transcript: undefined,
  })
}
