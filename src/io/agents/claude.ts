/**
 * Claude Code: hooks in `.claude/settings.json`, transcripts as JSON lines below `~/.claude/projects/`.
 *
 * Time-outs: 600 s by default, 30 s for UserPromptSubmit, and 1.5 s for all SessionEnd hooks together.
 * SessionEnd's and PreCompact's answers are not read. Text for the model is shown up to 10,000
 * characters; more goes into a file.
 */

import type { AgentSignal, Refusal } from '../../core/agents/agent-signal.ts'
import type { AnswerShapes } from './answer.ts'
import { readClaudeTool } from './claude-tools.ts'
import type { Fields } from './json-fields.ts'
import { fieldsIn, own, textIn } from './json-fields.ts'
import type { PayloadDialect } from './payload.ts'
import { readPayload } from './payload.ts'

const dialect: PayloadDialect = {
  agent: 'claude',
  kinds: {
    SessionStart: 'session_start',
    UserPromptSubmit: 'turn_start',
    PostToolUse: 'tool_used',
    PostToolUseFailure: 'tool_used',
    Stop: 'turn_end',
    StopFailure: 'turn_end',
    PreCompact: 'before_compaction',
    SessionEnd: 'session_end',
    SubagentStop: 'subagent_end',
  },
  lastMessage: 'last_assistant_message',
  trigger: 'trigger',
  // A task in the background has ended, and the agent goes on.
  ownPrompt: /^\s*<task-notification>/,
  readTool: (payload: Fields, hook: string) => {
    const name = textIn(payload, 'tool_name')
    if (name === undefined) return undefined
    const tool = readClaudeTool({
      name,
      id: textIn(payload, 'tool_use_id'),
      input: fieldsIn(payload, 'tool_input'),
      result: own(payload, 'tool_response'),
    })
    // What failed named files that it did not write; a shell may have come half way.
    return hook === 'PostToolUseFailure' ? { ...tool, files: [], todos: undefined } : tool
  },
}

export function readClaudePayload(hookName: string, text: string): AgentSignal | Refusal {
  return readPayload(dialect, hookName, text)
}

export const CLAUDE_ANSWERS: AnswerShapes = {
  session_start: { hook: 'SessionStart', takes: ['context', 'message'] },
  turn_start: { hook: 'UserPromptSubmit', takes: ['context', 'message'] },
  tool_used: { hook: 'PostToolUse', takes: ['context', 'message'] },
  turn_end: { hook: 'Stop', takes: ['message'] },
}
