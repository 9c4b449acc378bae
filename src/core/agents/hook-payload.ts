/**
 * Hook payloads and the answers to them, as far as all agents have them in common. Pure.
 *
 * A payload is a JSON object with snake_case fields. Reading one never throws and ignores fields of the wrong
 * type. An answer is JSON in the documented form if the agent parses it, and empty otherwise. All agents read
 * `hookSpecificOutput.additionalContext` (for the model) and `systemMessage` (for the person), but not after
 * every event, and Codex rejects an answer with unknown keys.
 */

import { isSessionId } from '../session/session-state.ts'
import type { Agent } from './agent.ts'
import type { AgentSignal, SignalAnswer, SignalKind } from './agent-signal.ts'
import type { Fields } from '../text/json-fields.ts'
import { own, parseFields, pathIn, textIn, wordIn } from '../text/json-fields.ts'

/** UTF-16 units; enough for a tool that wrote one very large file. */
export const MAX_PAYLOAD = 64 * 1024 * 1024

/**
 * Undefined for a text that is not a payload, or for an event that is not followed. `hookName` is the event named
 * in the installed command; it is used only if the payload does not name its event itself.
 */
export function readHookPayload(
  agent: Agent & { readonly name: string },
  hookName: string,
  text: string,
): AgentSignal | undefined {
  if (text.length > MAX_PAYLOAD) return undefined
  const payload = parseFields(text.replace(/^\ufeff/, ''))
  if (payload === undefined) return undefined
  const event = textIn(payload, 'hook_event_name') ?? hookName
  const session = textIn(payload, 'session_id')
  const subagent = wordIn(payload, 'agent_id')
  const kind = kindOf(agent, event, subagent !== undefined)
  if (kind === undefined || session === undefined || !isSessionId(session)) return undefined
  const reason = wordIn(payload, kind === 'before_compaction' ? 'trigger' : 'reason')
  if (kind === 'before_compaction' && agent.noCompaction?.test(reason ?? '')) return undefined
  const toolName = kind === 'tool_used' ? textIn(payload, 'tool_name') : undefined
  const tool = toolName === undefined ? undefined : agent.readTool(toolName, payload, event)
  return {
    agent: agent.name,
    kind,
    session,
    cwd: pathIn(payload, 'cwd'),
    transcript: pathIn(payload, 'transcript_path'),
    source: kind === 'session_start' ? sourceIn(payload) : undefined,
    reason,
    prompt: wordsIn(payload, 'prompt', agent.ownPrompt, agent.readPrompt),
    lastMessage: wordsIn(payload, agent.lastMessage, agent.noMessage, agent.readMessage),
    ...(subagent === undefined && mayAsk(agent, event, payload) && { mayAsk: true }),
    // A subagent has its own list.
    tool: tool === undefined || subagent === undefined ? tool : { ...tool, todos: undefined },
    subagent:
      subagent === undefined
        ? undefined
        : { id: subagent, transcript: pathIn(payload, 'agent_transcript_path') },
  }
}

/** True at the end of a turn, unless it was interrupted or any hook has already asked the agent to continue. */
function mayAsk({ hooks, lastMessage, noMessage }: Agent, event: string, payload: Fields): boolean {
  const isEnd = hooks.some((hook) => hook.event === event && hook.asks !== undefined)
  const isInterrupted = noMessage?.test(textIn(payload, lastMessage) ?? '') === true
  return isEnd && !isInterrupted && own(payload, 'stop_hook_active') !== true
}

/** Inside a subagent the same events fire, with its id; they must not change the session's phase. */
function kindOf(
  { hooks, otherEvents = {} }: Agent,
  event: string,
  isSubagent: boolean,
): SignalKind | undefined {
  const other = Object.hasOwn(otherEvents, event) ? otherEvents[event] : undefined
  const kind = hooks.find((hook) => hook.event === event)?.kind ?? other
  if (!isSubagent || kind === 'tool_used' || kind === 'subagent_end') return kind
  return kind === 'turn_end' ? 'subagent_end' : undefined
}

/** Not shortened: a secret that is cut in half would no longer be recognized. */
function wordsIn(
  payload: Fields,
  key: string,
  none: RegExp | undefined,
  read = (text: string) => text,
): string | undefined {
  const text = textIn(payload, key)
  if (text === undefined || none?.test(text)) return undefined
  const words = read(text.toWellFormed())
  return words.trim() === '' ? undefined : words
}

/** A forked session is a new session that continues another session's conversation. */
function sourceIn(payload: Fields): AgentSignal['source'] {
  const source = textIn(payload, 'source')
  if (source === 'fork') return 'resume'
  return (['startup', 'resume', 'clear', 'compact'] as const).find((known) => known === source)
}

/** The text for standard output; empty if there is nothing to say or the agent would not read it. */
export function writeHookAnswer({ hooks }: Agent, kind: SignalKind, answer: SignalAnswer): string {
  const hook = hooks.find((one) => one.kind === kind && one.reads !== undefined)
  const message = hook && answer.message
  const context = hook?.reads === 'context and message' ? answer.context : undefined
  const ask = hook?.asks === undefined ? undefined : answer.ask
  if (!message && !context && !ask) return ''
  const json = {
    ...(ask && { decision: hook?.asks, reason: ask.toWellFormed() }),
    ...(message && { systemMessage: message.toWellFormed() }),
    ...(context && {
      hookSpecificOutput: {
        hookEventName: hook?.event,
        additionalContext: context.toWellFormed(),
      },
    }),
  }
  return `${JSON.stringify(json)}\n`
}
