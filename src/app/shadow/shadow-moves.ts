/**
 * Parts and events that go from one chain to another, and refs that go away.
 *
 * The order is always: first they are in the new chain, then they leave the old one. A process that dies
 * between leaves them in both. A ref goes only when it is proven, of the very tip that is removed, that
 * nothing in it is needed: no part of a session with something in it, no session that still has this
 * base, no event that is neither in the other chain nor in a commit. Not knowing keeps it.
 */

import { needsNoShadow } from '../../core/session/session-state.ts'
import type { ShadowKey } from '../../core/shadow/shadow-name.ts'
import type { ShadowRecord } from '../../core/shadow/shadow-record.ts'
import type { Chain, ChainContents } from './shadow-chain.ts'
import { changeChain, findChain, listChains } from './shadow-chain.ts'
import { areAllCommitted, uncommitted } from './shadow-events.ts'
import type { SessionContext } from './session-context.ts'

/** Puts a part (or none) and the old chain's events into the chain of `to`. */
export async function bringPart(
  context: SessionContext,
  to: ShadowRecord,
  from: Chain | undefined,
  id: string,
  part: string | undefined,
  options: { why: string; isJoined: boolean; isCut: boolean },
): Promise<void> {
  await changeChain(context, to, {
    why: options.why,
    isCut: options.isCut,
    joined: options.isJoined && from !== undefined ? [from.commit] : [],
    apply: async (now): Promise<ChainContents> => {
      const others = [...now.sessions].filter(([session]) => session !== id)
      const sessions = new Map(part === undefined ? others : [...others, [id, part]])
      const brought = await uncommitted(context, new Map([...(from?.events ?? []), ...now.events]))
      const names = new Set(now.leftOut.map(({ path }) => path))
      const more = (from?.leftOut ?? []).filter(({ path }) => !names.has(path))
      return { sessions, events: brought, leftOut: [...now.leftOut, ...more] }
    },
  })
}

/** Takes a session's part out of a chain, and removes the ref when nothing else needs it. */
export async function leaveChain(
  context: SessionContext,
  from: ShadowKey,
  id: string,
  to: ShadowKey,
  isCut = false,
): Promise<void> {
  const { chain } = await findChain(context, from)
  if (chain === undefined) return
  if (chain.sessions.has(id)) {
    if (await removeDone(context, chain, id, to)) return
    await changeChain(context, chain.record, {
      why: `left by session ${id}`,
      isCut,
      apply: (now) => ({
        ...now,
        sessions: new Map([...now.sessions].filter(([session]) => session !== id)),
      }),
    })
  }
  const { chain: left } = await findChain(context, from)
  if (left !== undefined) await removeDone(context, left, id, to)
}

/** False when the ref is needed, and when it has moved meanwhile: then somebody writes to it. */
async function removeDone(
  context: SessionContext,
  chain: Chain,
  id: string,
  to: ShadowKey,
): Promise<boolean> {
  const others = [...chain.sessions.keys()].filter((session) => session !== id)
  if (!others.every((session) => isDone(context, session))) return false
  if (isBaseOfOther(context, chain.record, id)) return false
  if (!(await areEventsSafe(context, chain, to))) return false
  return context.refs.remove(chain.ref, chain.commit)
}

/** Only a state that says so proves it. */
function isDone({ sessions }: SessionContext, id: string): boolean {
  const state = sessions.read(id)
  return state !== undefined && needsNoShadow(state)
}

function isBaseOfOther({ sessions }: SessionContext, key: ShadowKey, id: string): boolean {
  return sessions
    .listOpen()
    .some((one) => one.id !== id && one.base === key.base && one.worktree.name === key.worktree)
}

async function areEventsSafe(
  context: SessionContext,
  chain: Chain,
  to: ShadowKey,
): Promise<boolean> {
  const { ref, chain: target } = await findChain(context, to)
  const held = ref === chain.ref ? undefined : target?.events
  const left = new Map([...chain.events].filter(([name, blob]) => held?.get(name) !== blob))
  return areAllCommitted(context, left)
}

/**
 * Chains of this worktree that hold events only: the events go into the chain of `to`, which begins
 * just now, and the refs go away. Their sessions were condensed at another base.
 */
export async function absorbLeftovers(context: SessionContext, to: ShadowRecord): Promise<void> {
  const { chains } = await listChains(context, to.worktree)
  for (const chain of chains) {
    if (chain.sessions.size > 0 || chain.record.base === to.base) continue
    const options = { why: 'events of an older base', isJoined: false, isCut: false }
    await bringPart(context, to, chain, NOBODY, undefined, options)
    await removeDone(context, chain, NOBODY, to)
  }
}

/** Removes the chains, of all worktrees, that nobody needs any more: a process died before it could. */
export async function removeSpentChains(context: SessionContext): Promise<void> {
  const { chains } = await listChains(context)
  for (const chain of chains) await removeDone(context, chain, NOBODY, chain.record)
}

/** No session has an empty id. */
const NOBODY = ''
