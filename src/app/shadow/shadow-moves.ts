/**
 * Where a session's part is: it is put into one chain, taken out of all others, and refs that nobody needs
 * go away.
 *
 * The order is always: first it is in the new chain, then it leaves the old one. A process that dies
 * between leaves it in both. A ref goes only when it is proven, of the very tip that is removed, that
 * nothing in it is needed: no part of a session with something in it, no session at work that has this
 * base, no event that is neither in the other chain nor in a commit. Not knowing keeps it.
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
  /** The tree of the part; undefined: the session has none any more. */
  readonly part: string | undefined
  /** Those of the worktree, as they were read just now. */
  readonly chains: Chains
  /** Chains that the part, and events, come from. */
  readonly from: readonly Chain[]
  /** Their steps go along, as history. */
  readonly isJoined?: boolean
  /** What is taken out goes out of the history, too. */
  readonly isCut?: boolean
  /** The worktree's pending events of now, where they were looked at. */
  readonly pending?: PendingEvents | undefined
}

/** Puts a session's part into the chain of `to`, and takes it out of the others. False: nothing changed. */
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

/** Takes a session's part out of a chain, and removes the ref when nothing else needs it. */
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

/** False when the ref is needed, and when it has moved meanwhile: then somebody writes to it. */
async function removeDone(
  context: SessionContext,
  { ref, record, commit, sessions, events }: Chain,
  id: string,
  to: ShadowKey,
): Promise<boolean> {
  const isDone = (session: string) => {
    // Only a state that says so proves it, and only of the worktree that the session is in now.
    const state = context.sessions.read(session)
    const isOfHere = state?.worktree.name === record.worktree
    return session === id || (state !== undefined && isOfHere && needsNoShadow(state))
  }
  if (![...sessions.keys()].every(isDone)) return false
  // One that rests has its part here already, or none: its next turn begins at HEAD.
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
 * Chains of this worktree that hold events only: the events go into the chain of `to`, which begins
 * just now, and the refs go away. Their sessions were condensed at another base.
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

/** Removes the chains, of all worktrees, that nobody needs any more: a process died before it could. */
export async function removeSpentChains(context: SessionContext): Promise<void> {
  const { chains } = await readChains(context)
  for (const chain of chains) await removeDone(context, chain, NOBODY, chain.record)
}

/** No session has an empty id. */
const NOBODY = ''

/**
 * HEAD has moved: the session's own part and the events go along, under the new base's name; each other
 * session of the chain moves its own. Nothing is lost when the process dies: it is done again by the next
 * call.
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
 * After a condensation: what no commit holds as the session left it (`files`) begins a new chain at `base`,
 * which is HEAD now, and everything of the session that was condensed goes, out of the history, too.
 *
 * `state` may be that of before or of after the condensation: its data is found wherever it is. Without
 * files the session leaves no shadow data: so it is discarded, too.
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

/** The carried files as shadow data of their own, without transcript. */
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
  // An open turn's versions are in no step yet.
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
