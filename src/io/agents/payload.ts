/**
 * What the payloads of all agents have in common: a JSON object on stdin with snake_case fields.
 *
 * Whatever comes in, reading it never throws and never takes a field of a wrong type: it answers with
 * a signal, or with why there is none.
 */

import type {
  AgentName,
  AgentSignal,
  Refusal,
  SignalKind,
  ToolUse,
} from '../../core/agents/agent-signal.ts'
import { keepEnds } from '../../core/agents/agent-signal.ts'
import { isSessionId } from '../../core/session/session-state.ts'
import type { Fields } from './json-fields.ts'
import { parseFields, pathIn, textIn, wordIn } from './json-fields.ts'

/** UTF-16 units: a tool that wrote one very large file still gets through. */
export const MAX_PAYLOAD = 64 * 1024 * 1024

/** How one agent says things. */
export interface PayloadDialect {
  readonly agent: AgentName
  /** The agent's event names that mean something here. */
  readonly kinds: Readonly<Record<string, SignalKind>>
  /** Its name for the text of the agent's last message. */
  readonly lastMessage: string
  /** Its name for why a compaction starts. */
  readonly trigger: string
  /** Texts that the agent sends in place of a message. */
  readonly noMessage?: RegExp
  /** Prompts that the agent sends by itself: they begin a turn, and say nothing of the user's. */
  readonly ownPrompt?: RegExp
  /** Triggers of a compaction at which nothing is compacted. */
  readonly noCompaction?: string
  /** What a tool did; `hook`: the agent's name of the event. */
  readTool(payload: Fields, hook: string): ToolUse | undefined
}

/**
 * Reads a payload. `hookName` is what the installed command says, for payloads that do not name their
 * event themselves; the payload's own word counts more.
 */
export function readPayload(
  dialect: PayloadDialect,
  hookName: string,
  text: string,
): AgentSignal | Refusal {
  if (text.length > MAX_PAYLOAD) return { refused: 'the payload is too large' }
  const json = text.replace(/^\ufeff/, '')
  if (json.trim() === '') return { refused: 'the payload is empty' }
  const payload = parseFields(json)
  if (payload === undefined) return { refused: 'the payload is not a JSON object' }
  const hook = textIn(payload, 'hook_event_name') ?? hookName
  const named = Object.hasOwn(dialect.kinds, hook) ? dialect.kinds[hook] : undefined
  if (named === undefined) return { refused: 'the event is none that is followed' }
  const session = textIn(payload, 'session_id')
  if (session === undefined) return { refused: 'the payload has no session id' }
  if (!isSessionId(session)) return { refused: 'the session id is not safe as a file name' }
  const kind = kindOf(named, payload)
  if (kind === undefined) return { refused: 'a subagent starts or ends no session' }
  const isNone = kind === 'before_compaction' && isNoCompaction(dialect, payload)
  if (isNone) return { refused: 'no compaction, but a request to the model' }
  return signalOf(dialect, { kind, session, hook, payload })
}

function isNoCompaction({ trigger, noCompaction }: PayloadDialect, payload: Fields): boolean {
  return noCompaction !== undefined && textIn(payload, trigger) === noCompaction
}

/** Inside a subagent the same events fire with its id: they must not change the session's phase. */
function kindOf(kind: SignalKind, payload: Fields): SignalKind | undefined {
  if (wordIn(payload, 'agent_id') === undefined) return kind
  if (kind === 'turn_end') return 'subagent_end'
  return kind === 'tool_used' || kind === 'subagent_end' ? kind : undefined
}

function signalOf(
  dialect: PayloadDialect,
  {
    kind,
    session,
    hook,
    payload,
  }: { kind: SignalKind; session: string; hook: string; payload: Fields },
): AgentSignal {
  const id = wordIn(payload, 'agent_id')
  const tool = kind === 'tool_used' ? dialect.readTool(payload, hook) : undefined
  const message = textUnless(payload, dialect.lastMessage, dialect.noMessage)
  const prompt = textUnless(payload, 'prompt', dialect.ownPrompt)
  return {
    agent: dialect.agent,
    kind,
    session,
    cwd: pathIn(payload, 'cwd'),
    transcript: pathIn(payload, 'transcript_path'),
    source: kind === 'session_start' ? sourceIn(payload) : undefined,
    reason: wordIn(payload, kind === 'before_compaction' ? dialect.trigger : 'reason'),
    prompt: prompt === undefined ? undefined : keepEnds(prompt),
    lastMessage: message === undefined ? undefined : keepEnds(message),
    model: wordIn(payload, 'model'),
    // A subagent keeps a list of its own.
    tool: tool === undefined || id === undefined ? tool : { ...tool, todos: undefined },
    subagent:
      id === undefined
        ? undefined
        : {
            id,
            type: wordIn(payload, 'agent_type'),
            transcript: pathIn(payload, 'agent_transcript_path'),
          },
  }
}

function textUnless(payload: Fields, key: string, none: RegExp | undefined): string | undefined {
  const text = textIn(payload, key)
  return text === undefined || none?.test(text) ? undefined : text
}

function sourceIn(payload: Fields): AgentSignal['source'] {
  const source = textIn(payload, 'source')
  switch (source) {
    case 'startup':
    case 'resume':
    case 'clear':
    case 'compact':
      return source
    case 'fork': // a new session that goes on with another one's conversation
      return 'resume'
    default:
      return undefined
  }
}
