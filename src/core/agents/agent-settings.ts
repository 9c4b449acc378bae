/**
 * Our hooks in an agent's settings file: put in, looked at, taken out. Pure.
 *
 * Laws: what is not ours has the same value before and after, and the same bytes; putting in twice
 * changes nothing; taking out what was put in gives the bytes from before. Ours is known by its command
 * text, wherever in its event's list it stands.
 */

import type { Found } from './agent-found.ts'
import { CALLS, foundIn, OURS, surplusOf, whyNotEditable } from './agent-found.ts'
import { agentCommand, contextCommand, hookGroup, isOlderContext } from './agent-command.ts'
import type { Node } from '../text/json-edits.ts'
import {
  append,
  parseJsonTree,
  propertiesOf,
  splice,
  splitBom,
  withoutNode,
  withoutPiece,
} from '../text/json-edits.ts'
import type { AgentName } from './agents.ts'
import { AGENTS } from './agents.ts'

export interface Connected {
  readonly text: string
  /** What was put in, in this order. */
  readonly pieces: readonly string[]
}

/** How our hooks stand in a file, by event. */
export interface Connection {
  /** Calls us: a hook of ours, or the user's own call of it. */
  readonly connected: readonly string[]
  readonly missing: readonly string[]
  readonly older: readonly string[]
  /** Calls us more than once, or for another event. */
  readonly surplus: readonly string[]
}

/** Adds what is missing and renews what is old. A string says why the text stays as it is. */
export function connect(
  text: string | undefined,
  agent: AgentName,
  pieces: readonly string[] = [],
): Connected | string {
  return changed(text, agent, pieces, allHooks(agent), (before) => {
    const kept = without(before.text, (rest) => surplusOf(foundIn(rest, agent))[0])
    let now = renewed({ ...before, text: kept }, agent)
    for (;;) {
      const [event] = inspect(now.text, agent).missing
      if (event === undefined) return now
      now = added(now, agent, event)
    }
  })
}

/**
 * Adds the hook for the tools that fill a context and tell nothing else, where there is none of ours. A string
 * says why the text stays as it is.
 */
export function connectContext(
  text: string | undefined,
  agent: AgentName,
  pieces: readonly string[] = [],
): Connected | string {
  const { contextHook } = AGENTS[agent]
  if (contextHook === undefined) return { text: text ?? '', pieces }
  const { event } = contextHook
  const command = contextCommand(agent, event)
  const group = hookGroup(agent, contextHook, command)
  const all = { [event]: [group] }
  return changed(text, agent, pieces, all, (now) => {
    const there = foundIn(now.text, agent).find(({ kind }) => kind === 'context')
    if (there === undefined) return withGroup(now, event, group, all)
    const isOlder = isOlderContext(String(there.command.value), agent)
    return isOlder ? withCommand(now, there.command, command) : now
  })
}

/** `all`: the hooks of a file that says nothing yet; `change` gets the pieces of ours that still stand in it. */
function changed(
  text: string | undefined,
  agent: AgentName,
  pieces: readonly string[],
  all: object,
  change: (now: Connected) => Connected,
): Connected | string {
  const [bom, body] = splitBom(text)
  if (body.trim() === '') {
    const piece = `${JSON.stringify({ hooks: all }, null, 2)}\n`
    return { text: bom + body + piece, pieces: [piece] }
  }
  const problem = whyNotEditable(body, agent)
  if (problem !== undefined) return problem
  const now = change({ text: body, pieces: peeled(body, pieces).pieces })
  return { ...now, text: bom + now.text }
}

/** Whether the file has the hook that is for the context alone. */
export function hasContextHook(text: string): boolean {
  return foundIn(splitBom(text)[1], 'claude').some(({ kind }) => kind === 'context')
}

/** Takes out all that is ours. */
export function disconnect(text: string, pieces: readonly string[]): string {
  const [bom, body] = splitBom(text)
  const isOwn = ({ kind }: Found) => OURS.has(kind)
  return bom + without(peeled(body, pieces).text, (rest) => foundIn(rest, 'claude').find(isOwn))
}

/** Without handlers, as long as `find` finds one. */
function without(body: string, find: (text: string) => Found | undefined): string {
  let rest = body
  for (let one = find(rest); one !== undefined; one = find(rest)) {
    rest = withoutNode(rest, one.node)
  }
  return rest
}

/** Without the pieces that are still there, the last one first; and which those are. */
function peeled(body: string, pieces: readonly string[]): Connected {
  let text = body
  const found = pieces.toReversed().filter((piece) => {
    const without = withoutPiece(text, piece)
    // Where somebody changed what stands around it, what is left may be no JSON.
    const isExact =
      without !== undefined && (without.trim() === '' || typeof parseJsonTree(without) !== 'string')
    if (isExact) text = without
    return isExact
  })
  return { text, pieces: found.toReversed() }
}

/** Nothing but what `connect` makes from nothing leaves behind. */
export function isNothing(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text)
}

/** Events in whose lists the user calls us in other words than ours. */
export function editedEvents(text: string): string[] {
  const found = foundIn(splitBom(text)[1], 'claude')
  return [...new Set(found.flatMap(({ kind, event }) => (kind === 'edited' ? [event] : [])))]
}

/** How the file stands; a string says why it cannot be told. */
export function connectionIn(text: string, agent: AgentName): Connection | string {
  const body = splitBom(text)[1]
  return whyNotEditable(body, agent) ?? inspect(body, agent)
}

function inspect(body: string, agent: AgentName): Connection {
  const found = foundIn(body, agent)
  const events = AGENTS[agent].hooks.map(({ event }) => event)
  const isConnected = (event: string) =>
    found.some((each) => each.event === event && CALLS.has(each.kind))
  const eventsOf = (of: typeof found) => [...new Set(of.map(({ event }) => event))]
  return {
    connected: events.filter(isConnected),
    missing: events.filter((event) => !isConnected(event)),
    older: eventsOf(found.filter(({ kind }) => kind === 'older')),
    surplus: eventsOf(surplusOf(found)),
  }
}

/** Older commands in today's words. */
function renewed(now: Connected, agent: AgentName): Connected {
  const old = foundIn(now.text, agent).find(({ kind }) => kind === 'older')
  if (old === undefined) return now
  return renewed(withCommand(now, old.command, agentCommand(agent, old.event)), agent)
}

/** A command of ours in other words; the record learns them, too. */
export function withCommand(now: Connected, { offset, length }: Node, command: string): Connected {
  const before = now.text.slice(offset, offset + length)
  const after = JSON.stringify(command)
  const pieces = now.pieces.map((piece) => piece.replaceAll(before, () => after))
  return { text: splice(now.text, offset, length, after), pieces }
}

/** Puts one event's hook in; all of them where there are no hooks. */
function added(now: Connected, agent: AgentName, event: string): Connected {
  const hook = AGENTS[agent].hooks.find((each) => each.event === event)
  if (hook === undefined) return now
  return withGroup(now, event, hookGroup(agent, hook), allHooks(agent))
}

/** At the end of what is there for this event; `all`: where there are no hooks at all. */
function withGroup(now: Connected, event: string, group: object, all: object): Connected {
  const { text, pieces } = now
  const root = parseJsonTree(text)
  if (typeof root === 'string') return now
  const [hooks] = propertiesOf(root, 'hooks')
  const [list] = hooks === undefined ? [] : propertiesOf(hooks, event)
  const put =
    hooks === undefined
      ? append(text, root, property('hooks', all))
      : list === undefined
        ? append(text, hooks, property(event, [group]))
        : append(text, list, JSON.stringify(group, null, 2))
  return { text: put.text, pieces: [...pieces, put.piece] }
}

function property(key: string, value: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2)}`
}

function allHooks(agent: AgentName): object {
  return Object.fromEntries(
    AGENTS[agent].hooks.map((hook) => [hook.event, [hookGroup(agent, hook)]]),
  )
}
