/**
 * Adds, inspects and removes our hooks in an agent's settings file. Pure.
 *
 * Laws: everything that is not ours keeps its value and its bytes; adding is idempotent; adding and then
 * removing gives the original bytes. Our hooks are recognized by their command text, wherever in an event's
 * list they are.
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
  /** The texts that we inserted, in the order of insertion. */
  readonly pieces: readonly string[]
}

/** The state of our hooks in a file, as lists of event names. */
export interface Connection {
  /** Has a hook that calls us: ours, or one that the user wrote. */
  readonly connected: readonly string[]
  readonly missing: readonly string[]
  readonly older: readonly string[]
  /** Has a hook of ours more than once, or one for another event. */
  readonly surplus: readonly string[]
}

/** Adds missing hooks and updates old ones. A string result says why the text is left unchanged. */
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
 * Adds or updates the hook for tools that our other hooks do not match but that fill the context. A string result says
 * why the text is left unchanged.
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
    const existing = foundIn(now.text, agent).find(({ kind }) => kind === 'context')
    if (existing === undefined) return withGroup(now, event, group, all)
    const isOlder = isOlderContext(String(existing.command.value), agent)
    return isOlder ? withCommand(now, existing.command, command) : now
  })
}

/** `all`: the hooks to write into an empty file. `change` gets those of our pieces that are still in the file. */
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
  const now = change({ text: body, pieces: withoutPieces(body, pieces).pieces })
  return { ...now, text: bom + now.text }
}

/** Whether the file has our hook that only follows the context. */
export function hasContextHook(text: string): boolean {
  return foundIn(splitBom(text)[1], 'claude').some(({ kind }) => kind === 'context')
}

/** Removes everything that is ours. */
export function disconnect(text: string, pieces: readonly string[]): string {
  const [bom, body] = splitBom(text)
  const isOwn = ({ kind }: Found) => OURS.has(kind)
  const rest = withoutPieces(body, pieces).text
  return bom + without(rest, (text) => foundIn(text, 'claude').find(isOwn))
}

/** Removes handlers until `find` finds no more. */
function without(body: string, find: (text: string) => Found | undefined): string {
  let rest = body
  for (let one = find(rest); one !== undefined; one = find(rest)) {
    rest = withoutNode(rest, one.node)
  }
  return rest
}

/** Removes the pieces that are still in the text, the last one first, and returns which pieces those are. */
function withoutPieces(body: string, pieces: readonly string[]): Connected {
  let text = body
  const found = pieces.toReversed().filter((piece) => {
    const without = withoutPiece(text, piece)
    // If somebody edited the text around the piece, the rest may no longer be JSON.
    const isExact =
      without !== undefined && (without.trim() === '' || typeof parseJsonTree(without) !== 'string')
    if (isExact) text = without
    return isExact
  })
  return { text, pieces: found.toReversed() }
}

/** True for what `disconnect` leaves of a file that `connect` created: white space or an empty object. */
export function isNothing(text: string): boolean {
  return /^\s*(?:\{\s*\}\s*)?$/.test(text)
}

/** Events whose lists have a call to us that the user wrote or edited. */
export function editedEvents(text: string): string[] {
  const found = foundIn(splitBom(text)[1], 'claude')
  return [...new Set(found.flatMap(({ kind, event }) => (kind === 'edited' ? [event] : [])))]
}

/** The state of our hooks in the file; a string says why it cannot be determined. */
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

/** Replaces older versions of our commands with the current ones. */
function renewed(now: Connected, agent: AgentName): Connected {
  const old = foundIn(now.text, agent).find(({ kind }) => kind === 'older')
  if (old === undefined) return now
  return renewed(withCommand(now, old.command, agentCommand(agent, old.event)), agent)
}

/** Replaces the text of one of our commands, in the file and in the recorded pieces. */
export function withCommand(now: Connected, { offset, length }: Node, command: string): Connected {
  const before = now.text.slice(offset, offset + length)
  const after = JSON.stringify(command)
  const pieces = now.pieces.map((piece) => piece.replaceAll(before, () => after))
  return { text: splice(now.text, offset, length, after), pieces }
}

/** Adds the hook of one event, or all hooks if the file has none. */
function added(now: Connected, agent: AgentName, event: string): Connected {
  const hook = AGENTS[agent].hooks.find((each) => each.event === event)
  if (hook === undefined) return now
  return withGroup(now, event, hookGroup(agent, hook), allHooks(agent))
}

/** Adds a group at the end of this event's list; if the file has no hooks at all, adds `all`. */
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
