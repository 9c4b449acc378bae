/**
 * Codex: hooks in `hooks.json` or `config.toml`, transcripts ("rollouts") as JSON lines below
 * `~/.codex/sessions/YYYY/MM/DD/`; `transcript_path` may be null, and the format is not promised.
 *
 * The events are named as in Claude Code. Its terminal interface runs sessions in a daemon, which tells of
 * an end a minute later, now and then twice, and perhaps when the next session has begun. An interrupted
 * turn has Interrupt in place of Stop. An answer to Stop must be JSON, and no answer may have unknown keys.
 */

import type { AgentSignal, Refusal } from '../../core/agents/agent-signal.ts'
import type { AnswerShapes } from './answer.ts'
import { readCodexTool } from './codex-tools.ts'
import { own, textIn } from './json-fields.ts'
import type { PayloadDialect } from './payload.ts'
import { readPayload } from './payload.ts'

const dialect: PayloadDialect = {
  agent: 'codex',
  kinds: {
    SessionStart: 'session_start',
    UserPromptSubmit: 'turn_start',
    PostToolUse: 'tool_used',
    Stop: 'turn_end',
    StopFailure: 'turn_end',
    Interrupt: 'turn_end',
    SessionEnd: 'session_end',
    PreCompact: 'before_compaction',
    SubagentStop: 'subagent_end',
  },
  lastMessage: 'last_assistant_message',
  trigger: 'trigger',
  readTool: (payload) => {
    const name = textIn(payload, 'tool_name')
    if (name === undefined) return undefined
    return readCodexTool(name, textIn(payload, 'tool_use_id'), own(payload, 'tool_input'))
  },
}

export function readCodexPayload(hookName: string, text: string): AgentSignal | Refusal {
  return readPayload(dialect, hookName, text)
}

export const CODEX_ANSWERS: AnswerShapes = {
  session_start: { hook: 'SessionStart', takes: ['context', 'message'] },
  turn_start: { hook: 'UserPromptSubmit', takes: ['context', 'message'] },
  tool_used: { hook: 'PostToolUse', takes: ['context', 'message'] },
  turn_end: { hook: 'Stop', takes: ['message'] },
}
