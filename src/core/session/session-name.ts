/**
 * The name that a session's events use. In the ledger, Next and Agents have one lane per agent and branch, so two live
 * sessions of one agent need two names: `claude` and, derived from the session's id, `claude-3f2a`. The next session
 * that is alone there ends the lanes of the additional names. Pure.
 */

import { createHash } from 'node:crypto'
import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { Ledger } from '../ledger/join.ts'
import type { SessionState } from './session-state.ts'

export type Named = Pick<SessionState, 'id' | 'name' | 'startedAt'>

/**
 * Keeps the session's current name, unless two sessions began at once and took the same name; then the later one
 * changes its name. `beside`: the live sessions of its worktree.
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

/** The relevant properties of an event that is about to be written. */
export interface Successor extends Named {
  readonly name: string
  readonly branch: string
  /** The event has a Next list, which contains the open steps of the others or deliberately drops them. */
  readonly hasNext: boolean
}

/**
 * Names whose lanes an event of this session ends: additional names of its agent on its branch, without events since
 * the session began, because it has read what they left. A lane with open steps ends only if a list replaces them.
 * Empty while another session of the agent is alive, or if this session itself has an additional name.
 */
export function supersededNames(
  { agents, next }: Pick<Ledger, 'agents' | 'next'>,
  session: Successor,
  beside: readonly Named[],
): string[] {
  const { name: plain, branch, startedAt, hasNext } = session
  const isSameAgent = ({ name }: Named) => name === plain || isExtraOf(name ?? '', plain)
  const began = parseInstant(startedAt)?.instant
  if (began === undefined || beside.some(isSameAgent)) return []
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
