/**
 * Claude Code: hooks in `.claude/settings.json`, transcripts below `~/.claude/projects/`.
 *
 * Time-outs: 600 s by default, 30 s for UserPromptSubmit, and 1.5 s for all SessionEnd hooks together.
 * SessionEnd's and PreCompact's answers are not read. Text for the model is shown up to 10,000
 * characters; more goes into a file.
 *
 * A transcript has one JSON record a line. A response spans several lines, one a content block, that share
 * `message.id`; a resumed session may repeat records of the one before. `isSidechain` marks a subagent's
 * records: their tools count, their words do not. Records of `isMeta` and texts in the program's own tags
 * are not the user's.
 */

import type { TodoChange } from '../session/todos.ts'
import type { Agent } from './agent.ts'
import type { ToolUse, TranscriptEntry } from './agent-signal.ts'
import { keepEnds } from './agent-signal.ts'
import type { Fields } from './json-fields.ts'
import {
  asFields,
  fieldsIn,
  listIn,
  MAX_TODO_TEXT,
  messageText,
  objectsIn,
  own,
  parseRecords,
  textIn,
  todoList,
  todoStatus,
  toolUse,
  wordIn,
} from './json-fields.ts'

/** A task in the background has ended, and the agent goes on. Older releases wrote a line behind it. */
const OWN_PROMPT = /^\s*<task-notification>/

export const claude: Agent = {
  title: 'Claude Code',
  variable: 'CLAUDECODE',
  file: '.claude/settings.json',
  localFile: '.claude/settings.local.json',
  perSecond: 1,
  texts: {
    '.claude/skills/ledger/SKILL.md': 'agents/ledger-skill.md',
    '.claude/skills/ledger-handoff/SKILL.md': 'agents/handoff-skill.md',
    '.claude/skills/continuity/SKILL.md': 'agents/continuity-skill.md',
    // Older releases know no command for a skill; newer ones prefer the skill of that name.
    '.claude/commands/ledger.md': 'agents/claude-command.md',
    '.claude/commands/create_handoff.md': 'agents/claude-create-handoff.md',
    '.claude/commands/resume_handoff.md': 'agents/claude-resume-handoff.md',
  },
  // Only events that every release knows: a whole settings file is dropped for an unknown one.
  hooks: [
    { event: 'SessionStart', kind: 'session_start', seconds: 20, reads: 'context and message' },
    { event: 'UserPromptSubmit', kind: 'turn_start', seconds: 10, reads: 'context and message' },
    {
      event: 'PostToolUse',
      kind: 'tool_used',
      // Files, commands, to-dos, subagents; with the names that older and newer releases use.
      matcher: 'Edit|MultiEdit|Write|NotebookEdit|Bash|TodoWrite|TaskCreate|TaskUpdate|Task|Agent',
      seconds: 10,
      reads: 'context and message',
    },
    { event: 'PreCompact', kind: 'before_compaction', seconds: 20 },
    { event: 'Stop', kind: 'turn_end', seconds: 30, reads: 'message' },
    { event: 'SubagentStop', kind: 'subagent_end', seconds: 10 },
    // All hooks of this event share 1.5 s, unless one asks for more.
    { event: 'SessionEnd', kind: 'session_end', seconds: 10 },
  ],
  otherEvents: { PostToolUseFailure: 'tool_used', StopFailure: 'turn_end' },
  switchFiles: ['.claude/settings.local.json', '.claude/settings.json'],
  switchIn: (settings) => {
    const value = own(settings, 'disableAllHooks')
    if (value === undefined) return undefined
    return value === true ? 'disableAllHooks: true' : 'on'
  },
  lastMessage: 'last_assistant_message',
  ownPrompt: OWN_PROMPT,
  readTool: (name, payload, hook) => {
    const tool = readTool(name, fieldsIn(payload, 'tool_input'), own(payload, 'tool_response'))
    // What failed named files that it did not write; a shell may have come half way.
    if (hook !== 'PostToolUseFailure') return tool
    return { name: tool.name, files: [], mayWrite: tool.mayWrite, todos: undefined }
  },
  readLines,
}

/** The tools that write, and the field that names the file. */
const WRITERS = new Map([
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])

/** `Task` is the older name of `Agent`; another server's tools may do anything. */
const MAY_WRITE = /^(?:Bash|Task|Agent|mcp__.*)$/s

function readTool(name: string, input: Fields, result: unknown): ToolUse {
  const key = WRITERS.get(name)
  return toolUse(name, {
    files: key === undefined ? [] : [textIn(input, key)],
    reads: name === 'Read' ? [textIn(input, 'file_path')] : [],
    command: name === 'Bash' ? textIn(input, 'command') : undefined,
    mayWrite: MAY_WRITE.test(name),
    todos: todoChange(name, input, result),
  })
}

/** `TodoWrite` replaces the list; `TaskCreate` and `TaskUpdate`, which follow it, change one task. */
function todoChange(name: string, input: Fields, result: unknown): TodoChange | undefined {
  if (name === 'TodoWrite')
    return { kind: 'list', todos: todoList(listIn(input, 'todos'), 'content') }
  const subject = textIn(input, 'subject')?.slice(0, MAX_TODO_TEXT)
  if (name === 'TaskCreate' && subject !== undefined) {
    return { kind: 'add', todo: { id: createdTask(result), text: subject, status: 'pending' } }
  }
  const id = name === 'TaskUpdate' ? wordIn(input, 'taskId') : undefined
  if (id === undefined) return undefined
  return { kind: 'set', id, text: subject, status: todoStatus(own(input, 'status')) }
}

/** The number that the agent gave to a new task: in a field, or in the sentence it answers with. */
function createdTask(result: unknown): string | undefined {
  const fields = asFields(result)
  const id = fields && (wordIn(fieldsIn(fields, 'task'), 'id') ?? wordIn(fields, 'taskId'))
  if (id !== undefined) return id
  const text = messageText(fields === undefined ? result : own(fields, 'content'))
  return /^Task #(\d{1,9}) created\b/.exec(text)?.[1]
}

function readLines(lines: readonly string[]): TranscriptEntry[] {
  // A repeated record is the same record.
  const records = [
    ...new Map(parseRecords(lines).map((one, i) => [textIn(one, 'uuid') ?? i, one])).values(),
  ]
  const results = toolResults(records)
  const entries: TranscriptEntry[] = []
  let response: string | undefined
  for (const record of records) {
    const id = textIn(fieldsIn(record, 'message'), 'id')
    for (const entry of recordEntries(record, results)) {
      const last = entries.at(-1)
      const goesOn = id !== undefined && id === response && entry.kind === 'assistant'
      if (goesOn && last?.kind === 'assistant') {
        entries[entries.length - 1] = { ...last, text: keepEnds(`${last.text}\n\n${entry.text}`) }
      } else entries.push(entry)
    }
    response = id ?? response
  }
  return entries
}

type ToolResults = ReadonlyMap<string, { readonly isError: boolean; readonly value: unknown }>

/** Answers by the id of their call. A call whose answer is not there (yet) counts as done. */
function toolResults(records: readonly Fields[]): ToolResults {
  return new Map(
    records.flatMap((record) =>
      contentOf(record).flatMap((block) => {
        const id = own(block, 'type') === 'tool_result' ? textIn(block, 'tool_use_id') : undefined
        const value = asFields(own(record, 'toolUseResult')) ?? own(block, 'content')
        return id === undefined ? [] : [[id, { isError: own(block, 'is_error') === true, value }]]
      }),
    ),
  )
}

function contentOf(record: Fields): Fields[] {
  return objectsIn(listIn(fieldsIn(record, 'message'), 'content'))
}

function recordEntries(record: Fields, results: ToolResults): TranscriptEntry[] {
  const type = own(record, 'type')
  if (type === 'user') return userEntries(record)
  // Errors and fillers that the program writes in the agent's name.
  const isSynthetic =
    own(record, 'isApiErrorMessage') === true ||
    own(fieldsIn(record, 'message'), 'model') === '<synthetic>'
  if (type !== 'assistant' || isSynthetic) return []
  const isSidechain = own(record, 'isSidechain') === true
  return contentOf(record).flatMap((block) => blockEntries(block, isSidechain, results))
}

/** What the program wraps around, or puts in place of, what the user typed. */
const TAGS =
  'system-reminder|ide_[a-z_]+|command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|task-[a-z]+'
const WRAPPED = new RegExp(`<(${TAGS})>[^<]*(?:<(?!/\\1>)[^<]*)*(?:</\\1>|$)`, 'g')
const NOT_THE_USER = /^(?:\[Request interrupted by user|Caveat: The messages below )/

/** Only words: a record with the answers of tools says nothing of the user's. */
function userEntries(record: Fields): TranscriptEntry[] {
  if (own(record, 'isMeta') === true || own(record, 'isSidechain') === true) return []
  const text = messageText(
    own(fieldsIn(record, 'message'), 'content'),
    (type) => type === undefined || type === 'text',
  )
  if (own(record, 'isCompactSummary') === true) return [{ kind: 'summary', text: keepEnds(text) }]
  const prompt = OWN_PROMPT.test(text) ? '' : keepEnds(text).replace(WRAPPED, '').trim()
  return prompt === '' || NOT_THE_USER.test(prompt) ? [] : [{ kind: 'prompt', text: prompt }]
}

function blockEntries(
  block: Fields,
  isSidechain: boolean,
  results: ToolResults,
): TranscriptEntry[] {
  if (own(block, 'type') !== 'tool_use') {
    const text = own(block, 'type') === 'text' && !isSidechain ? textIn(block, 'text') : undefined
    return text === undefined ? [] : [{ kind: 'assistant', text: keepEnds(text.trim()) }]
  }
  const name = textIn(block, 'name')
  const result = results.get(textIn(block, 'id') ?? '')
  if (name === undefined || result?.isError === true) return []
  const tool = readTool(name, fieldsIn(block, 'input'), result?.value)
  return [{ kind: 'tool', tool: isSidechain ? { ...tool, todos: undefined } : tool }]
}
