/** Finds the hooks in an agent's settings that call us. Pure. */

import type { CommandKind } from './agent-command.ts'
import { kindOfCommand } from './agent-command.ts'
import type { Node } from '../text/json-edits.ts'
import { parseJsonTree, propertiesOf } from '../text/json-edits.ts'
import type { AgentName } from './agents.ts'
import { AGENTS } from './agents.ts'

export interface Found {
  /** Key of the list that contains the handler. */
  readonly event: string
  readonly kind: CommandKind
  /** The handler's command. */
  readonly command: Node
  /** The handler, or the largest node around it that would be empty without it. */
  readonly node: Node
}

/** Kinds of commands that do the work of our hook. */
export const CALLS: ReadonlySet<CommandKind> = new Set(['current', 'older', 'newer', 'edited'])
/** Kinds of commands whose text we wrote. */
export const OURS: ReadonlySet<CommandKind> = new Set([
  'current',
  'older',
  'newer',
  'elsewhere',
  'context',
])

/** Why the settings cannot be edited; undefined if they can. Settings whose structure we do not know stay untouched. */
export function whyNotEditable(body: string, agent: AgentName): string | undefined {
  const root = parseJsonTree(body)
  if (typeof root === 'string') return root
  if (root.type !== 'object') return 'is not a JSON object'
  const [hooks, ...others] = propertiesOf(root, 'hooks')
  if (others.length > 0) return 'has the key "hooks" twice'
  if (hooks === undefined) return undefined
  if (hooks.type !== 'object') return 'has a key "hooks" that is not a JSON object'
  for (const { event } of AGENTS[agent].hooks) {
    const [list, ...more] = propertiesOf(hooks, event)
    if (more.length > 0) return `has the key "${event}" twice`
    if (list !== undefined && list.type !== 'array')
      return `has a key "${event}" that is not a list`
  }
  return undefined
}

/** Every handler that calls us, in the order of the file. */
export function foundIn(body: string, agent: AgentName): Found[] {
  const root = parseJsonTree(body)
  if (typeof root === 'string') return []
  const found: Found[] = []
  for (const { event, handler, command } of handlersIn(root)) {
    const kind = kindOfCommand(String(command.value), agent, event)
    if (kind !== 'foreign') found.push({ event, kind, command, node: topmost(handler, body) })
  }
  return found
}

/** Our handlers that are in the wrong event's list, or that repeat another one. */
export function surplusOf(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found.filter(({ kind, event }) => {
    if (kind === 'elsewhere') return true
    if (!OURS.has(kind) || kind === 'context') return false
    const isSecond = seen.has(event)
    seen.add(event)
    return isSecond
  })
}

function* handlersIn(root: Node) {
  const [hooks] = propertiesOf(root, 'hooks')
  for (const { children: [key, list] = [] } of hooks?.type === 'object'
    ? (hooks.children ?? [])
    : []) {
    for (const group of list?.type === 'array' ? (list.children ?? []) : []) {
      for (const handler of handlersOf(group)) {
        const [command] = propertiesOf(handler, 'command')
        if (command?.type === 'string') yield { event: String(key?.value), handler, command }
      }
    }
  }
}

function handlersOf(group: Node): readonly Node[] {
  const [handlers] = propertiesOf(group, 'hooks')
  return handlers?.type === 'array' ? (handlers.children ?? []) : []
}

function topmost(handler: Node, body: string): Node {
  // handler → its list → the property "hooks" → the group → the event's list → its property → …
  const group = handler.parent?.parent?.parent
  if (!isOnlyContent(group, handler, body)) return handler
  const event = group.parent?.parent
  if (!isOnlyContent(event, group, body)) return group
  const hooks = event.parent?.parent
  return isOnlyContent(hooks, event, body) ? hooks : event
}

/** True when `outer` contains nothing besides `inner`, not even a comment. */
function isOnlyContent(outer: Node | undefined, inner: Node, body: string): outer is Node {
  if (outer === undefined || inner.parent?.children?.length !== 1) return false
  const before = body.slice(outer.offset, inner.offset)
  const after = body.slice(inner.offset + inner.length, outer.offset + outer.length)
  return !/\/[/*]/.test(before + after)
}
