/**
 * Gemini CLI: hooks in `.gemini/settings.json` (time-outs in milliseconds), transcripts below
 * `~/.gemini/tmp/<project>/chats/`.
 *
 * It does not wait for SessionEnd hooks. Where standard output is empty it takes standard error for the
 * answer and shows it to the user: a hook without anything to say must not write there either.
 *
 * A transcript is JSON lines (a head, then messages, each written again whenever it grows, with `$set` and
 * `$rewindTo` between them), or the one pretty-printed document of older releases.
 */

import type { Agent } from './agent.ts'
import type { ToolUse, TranscriptEntry } from './agent-signal.ts'
import { keepEnds } from './agent-signal.ts'
import type { Fields } from './json-fields.ts'
import {
  fieldsIn,
  listIn,
  messageText,
  objectsIn,
  own,
  parseFields,
  parseRecords,
  textIn,
  todoList,
  toolUse,
} from './json-fields.ts'

/** By which Gemini's commands name our hooks. */
const HOOK_NAME = 'ledger-git'

export const gemini: Agent = {
  title: 'Gemini CLI',
  variable: 'GEMINI_CLI',
  file: '.gemini/settings.json',
  perSecond: 1000,
  hookName: HOOK_NAME,
  // Gemini reads this folder beside its own, and Codex this one alone.
  texts: {
    '.agents/skills/ledger/SKILL.md': 'agents/ledger-skill.md',
    '.agents/skills/ledger-handoff/SKILL.md': 'agents/handoff-skill.md',
    '.agents/skills/continuity/SKILL.md': 'agents/continuity-skill.md',
  },
  note: 'Gemini CLI runs hooks of trusted folders only: /permissions shows whether this one is',
  hooks: [
    { event: 'SessionStart', kind: 'session_start', seconds: 20, reads: 'context and message' },
    { event: 'BeforeAgent', kind: 'turn_start', seconds: 10, reads: 'context and message' },
    {
      event: 'AfterTool',
      kind: 'tool_used',
      matcher: '^(write_file|replace|run_shell_command|write_todos|invoke_agent)$',
      seconds: 10,
      reads: 'context and message',
    },
    // It says `auto` before every request to its model, and waits.
    {
      event: 'PreCompress',
      kind: 'before_compaction',
      matcher: 'manual',
      seconds: 20,
      reads: 'message',
    },
    { event: 'AfterAgent', kind: 'turn_end', seconds: 30, reads: 'message', asks: 'deny' },
    { event: 'SessionEnd', kind: 'session_end', seconds: 10, reads: 'message' },
  ],
  switchFiles: ['.gemini/settings.json'],
  switchIn: (settings) => {
    const config = fieldsIn(settings, 'hooksConfig')
    if (own(config, 'enabled') === false) return 'hooksConfig.enabled: false'
    // By the name that our hooks have there; where there is none, by the command.
    const isOurs = (name: unknown) => name === HOOK_NAME || / agent-hook gemini /.test(String(name))
    const isOff = listIn(config, 'disabled').some(isOurs)
    return isOff ? 'hooksConfig.disabled: has our hooks in it' : undefined
  },
  lastMessage: 'prompt_response',
  noMessage: /^\[no response text\]$/, // a turn that was interrupted
  noCompaction: /^auto$/,
  readTool: (name, payload) => {
    const tool = readTool(name, fieldsIn(payload, 'tool_input'))
    const error = own(fieldsIn(payload, 'tool_response'), 'error') ?? undefined
    if (error === undefined) return tool
    return { name: tool.name, files: [], mayWrite: tool.mayWrite, todos: undefined }
  },
  readLines,
}

function readTool(name: string, input: Fields): ToolUse {
  const todos = name === 'write_todos' ? listIn(input, 'todos') : undefined
  return toolUse(name, {
    files: name === 'replace' || name === 'write_file' ? [textIn(input, 'file_path')] : [],
    reads:
      name === 'read_file' ? [textIn(input, 'absolute_path') ?? textIn(input, 'file_path')] : [],
    command: name === 'run_shell_command' ? textIn(input, 'command') : undefined,
    mayWrite: /^(?:run_shell_command|mcp_.*)$/s.test(name),
    todos: todos && { kind: 'list', todos: todoList(todos, 'description') },
  })
}

function readLines(lines: readonly string[]): TranscriptEntry[] {
  const records = parseRecords(lines)
  // A line of a pretty-printed document may be an object of its own, but never one of these.
  const isDocument = lines[0]?.trim() === '{'
  const document = isDocument ? parseFields(lines.join('\n')) : undefined
  return messagesOf(document === undefined ? records : [document]).flatMap(messageEntries)
}

/** The messages that the person sees: the last version of each, in the order they came. */
function messagesOf(records: readonly Fields[]): Fields[] {
  let messages = new Map<string, Fields>()
  for (const record of records) {
    const rewind = textIn(record, '$rewindTo')
    const all = own(record, 'messages') ?? own(fieldsIn(record, '$set'), 'messages')
    if (rewind !== undefined) {
      // Not here: then all of these came later.
      const at = [...messages.keys()].indexOf(rewind)
      messages = new Map([...messages].slice(0, Math.max(0, at)))
    } else if (Array.isArray(all)) messages = byId(all)
    else for (const [id, message] of byId([record])) messages.set(id, message)
  }
  return [...messages.values()]
}

function byId(messages: readonly unknown[]): Map<string, Fields> {
  return new Map(
    objectsIn(messages).flatMap((message): [string, Fields][] => {
      const id = textIn(message, 'id')
      return id === undefined ? [] : [[id, message]]
    }),
  )
}

/** Commands, and what the program says in the user's name. */
const NOT_THE_USER = /^(?:[/?]|<(?:session|hook)_context>)/

function messageEntries(message: Fields): TranscriptEntry[] {
  const text = keepEnds(messageText(own(message, 'content'))).trim()
  const type = own(message, 'type')
  if (type === 'user')
    return text === '' || NOT_THE_USER.test(text) ? [] : [{ kind: 'prompt', text }]
  if (type !== 'gemini') return []
  const tools = objectsIn(listIn(message, 'toolCalls')).flatMap((call): TranscriptEntry[] => {
    const [name, status] = [textIn(call, 'name'), textIn(call, 'status')]
    if (name === undefined || (status !== undefined && status !== 'success')) return []
    return [{ kind: 'tool', tool: readTool(name, fieldsIn(call, 'args')) }]
  })
  return text === '' ? tools : [{ kind: 'assistant', text }, ...tools]
}
