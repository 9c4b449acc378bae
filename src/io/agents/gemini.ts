/**
 * Gemini CLI: hooks in `.gemini/settings.json` (time-outs in milliseconds), transcripts below
 * `~/.gemini/tmp/<project>/chats/`: JSON lines, in older releases one pretty-printed document.
 *
 * It does not wait for SessionEnd hooks. Where standard output is empty it takes standard error for the
 * answer and shows it to the user: a hook without anything to say must not write there either.
 */

import type { AgentSignal, Refusal } from '../../core/agents/agent-signal.ts'
import type { AnswerShapes } from './answer.ts'
import { readGeminiTool } from './gemini-tools.ts'
import { fieldsIn, own, textIn } from './json-fields.ts'
import type { PayloadDialect } from './payload.ts'
import { readPayload } from './payload.ts'

const dialect: PayloadDialect = {
  agent: 'gemini',
  kinds: {
    SessionStart: 'session_start',
    BeforeAgent: 'turn_start',
    AfterTool: 'tool_used',
    AfterAgent: 'turn_end',
    PreCompress: 'before_compaction',
    SessionEnd: 'session_end',
  },
  lastMessage: 'prompt_response',
  noMessage: /^\[no response text\]$/, // a turn that was interrupted
  trigger: 'trigger',
  noCompaction: 'auto', // it says so before every request to its model, and waits
  readTool: (payload) => {
    const name = textIn(payload, 'tool_name')
    if (name === undefined) return undefined
    const tool = readGeminiTool(name, undefined, fieldsIn(payload, 'tool_input'))
    const error = own(fieldsIn(payload, 'tool_response'), 'error')
    return error === undefined || error === null ? tool : { ...tool, files: [], todos: undefined }
  },
}

export function readGeminiPayload(hookName: string, text: string): AgentSignal | Refusal {
  return readPayload(dialect, hookName, text)
}

export const GEMINI_ANSWERS: AnswerShapes = {
  session_start: { hook: 'SessionStart', takes: ['context', 'message'] },
  turn_start: { hook: 'BeforeAgent', takes: ['context', 'message'] },
  tool_used: { hook: 'AfterTool', takes: ['context', 'message'] },
  turn_end: { hook: 'AfterAgent', takes: ['message'] },
  before_compaction: { hook: 'PreCompress', takes: ['message'] },
  session_end: { hook: 'SessionEnd', takes: ['message'] },
}
