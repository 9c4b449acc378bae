/**
 * The name that a session's events have. In the ledger Next and Agents have one lane for each agent on a
 * branch, so two live sessions of one agent need two names: `claude` and, made from the session's id,
 * `claude-3f2a`. The next session that is alone there ends the lanes of the additional names. Pure.
 */

import { createHash } from 'node:crypto'
import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { Ledger } from '../ledger/join.ts'

export interface Named {
  readonly id: string
  /** Undefined until it has one. */
  readonly name: string | undefined
  readonly startedAt: string
}

/**
 * Keeps the name that the session has; only where two began at once and took the same, the later one gives
 * way. `beside`: the live sessions of its worktree.
 */
export function sessionName(session: Named, plain: string, beside: readonly Named[]): string {
  const rivals =
    session.name === undefined ? beside : beside.filter((one) => isBefore(one, session))
  const taken = new Set(rivals.map(({ name }) => name))
  const digits = createHash('sha256').update(session.id).digest('hex')
  const extra = [4, 8].map((length) => `${plain}-${digits.slice(0, length)}`)
  const wanted = [...(session.name === undefined ? [] : [session.name]), plain, ...extra]
  return wanted.find((name) => !taken.has(name)) ?? `${plain}-${digits}`
}

function isBefore(one: Named, other: Named): boolean {
  if (one.startedAt !== other.startedAt) return one.startedAt < other.startedAt
  return one.id < other.id
}

const EXTRA = /^-[0-9a-f]{4}(?:[0-9a-f]{4})?$/

function isExtraOf(name: string, plain: string): boolean {
  return name.startsWith(plain) && EXTRA.test(name.slice(plain.length))
}

/** What an event that is about to be written says, as far as it matters here. */
export interface Successor extends Named {
  readonly name: string
  readonly branch: string
  /** It has a Next list: what the others left is in it, or was dropped knowingly. */
  readonly hasNext: boolean
}

/**
 * Names whose lanes an event of this session ends: additional names of its own, on its branch, that said
 * nothing since it began, because it has read what they left. Open steps end only with a list in their place.
 * None while another session of the agent lives, or for one that has an additional name itself.
 */
export function supersededNames(
  { agents, next }: Pick<Ledger, 'agents' | 'next'>,
  session: Successor,
  beside: readonly Named[],
): string[] {
  const { name: plain, branch, startedAt, hasNext } = session
  const isKin = ({ name }: Named) => name === plain || isExtraOf(name ?? '', plain)
  const began = parseInstant(startedAt)?.instant
  if (began === undefined || beside.some(isKin)) return []
  const lanes = [...agents, ...next]
    .map(({ by }) => by)
    .filter((by) => by.branch === branch && isExtraOf(by.agent, plain))
  const isOver = (ts: Instant) => ts < began
  const isOpen = (agent: string) =>
    next.some(({ by }) => by.branch === branch && by.agent === agent)
  const names = [...new Set(lanes.map(({ agent }) => agent))].sort()
  return names.filter(
    (name) =>
      lanes.every(({ agent, ts }) => agent !== name || isOver(ts)) && (hasNext || !isOpen(name)),
  )
}
