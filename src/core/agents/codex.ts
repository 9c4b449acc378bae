/**
 * Codex: hooks in `.codex/hooks.json`, transcripts ("rollouts") below `~/.codex/sessions/YYYY/MM/DD/`.
 *
 * The events are named as in Claude Code. Its terminal interface runs sessions in a daemon, which tells of
 * an end a minute later, now and then twice, and perhaps when the next session has begun. An interrupted
 * turn has Interrupt in place of Stop. An answer to Stop must be JSON, and no answer may have unknown keys.
 *
 * A transcript has one `{timestamp, type, payload}` a line; `transcript_path` may be null. The format is not
 * promised, and says most things twice: as `event_msg` (what the person saw) and as `response_item` (what
 * the model got). Words that stand twice in a row count once; files are a set anyway.
 */

import type { Agent } from './agent.ts'
import type { ToolUse, TranscriptEntry } from './agent-signal.ts'
import { keepEnds } from './agent-signal.ts'
import type { Fields } from './json-fields.ts'
import {
  asFields,
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

export const codex: Agent = {
  title: 'Codex',
  variable: 'CODEX_SANDBOX',
  file: '.codex/hooks.json',
  perSecond: 1,
  texts: {
    '.agents/skills/ledger/SKILL.md': 'agents/ledger-skill.md',
    '.agents/skills/ledger-handoff/SKILL.md': 'agents/handoff-skill.md',
    '.agents/skills/continuity/SKILL.md': 'agents/continuity-skill.md',
  },
  note: 'Codex runs hooks only after you trusted them: open Codex here and type /hooks',
  hooks: [
    { event: 'SessionStart', kind: 'session_start', seconds: 20, reads: 'context and message' },
    { event: 'UserPromptSubmit', kind: 'turn_start', seconds: 10, reads: 'context and message' },
    {
      event: 'PostToolUse',
      kind: 'tool_used',
      matcher: 'Bash|apply_patch|update_plan',
      seconds: 10,
      reads: 'context and message',
    },
    { event: 'PreCompact', kind: 'before_compaction', seconds: 20 },
    { event: 'Stop', kind: 'turn_end', seconds: 30, reads: 'message', asks: 'block' },
    // In place of Stop; releases that do not know it pass it over. More is cut to this, as below.
    { event: 'Interrupt', kind: 'turn_end', seconds: 3 },
    { event: 'SubagentStop', kind: 'subagent_end', seconds: 10 },
    // More is cut to this, with a warning at every start.
    { event: 'SessionEnd', kind: 'session_end', seconds: 3 },
  ],
  otherEvents: { StopFailure: 'turn_end' },
  switchFiles: ['.codex/config.toml'],
  // The old name counts where the new one is not there.
  switchIn: (settings) => {
    const key = ['features.hooks', 'features.codex_hooks'].find((name) => name in settings)
    if (key === undefined) return undefined
    return own(settings, key) === false ? `${key} = false` : 'on'
  },
  lastMessage: 'last_assistant_message',
  readTool: (name, payload) => readTool(name, own(payload, 'tool_input')),
  readLines,
}

const MAY_WRITE =
  /^(?:Bash|shell|shell_command|local_shell|exec_command|exec|write_stdin|spawn_agent|mcp__.*)$/s

const SHELL = /^(?:Bash|shell|shell_command|local_shell|exec_command)$/

/** `input`: an object, a text that holds one, or the bare patch. */
function readTool(name: string, input: unknown): ToolUse {
  const fields = asFields(input) ?? (typeof input === 'string' ? parseFields(input) : undefined)
  const command = fields === undefined ? input : (own(fields, 'command') ?? own(fields, 'input'))
  const plan = name === 'update_plan' && fields !== undefined ? listIn(fields, 'plan') : undefined
  const text = commandText(command ?? (fields && own(fields, 'cmd')))
  return toolUse(name, {
    files: patchedFiles(text),
    command: SHELL.test(name) && text !== '' ? text : undefined,
    mayWrite: MAY_WRITE.test(name),
    todos: plan && { kind: 'list', todos: todoList(plan, 'step') },
  })
}

/** A shell gets its command as one text or as a list of words. */
function commandText(command: unknown): string {
  if (typeof command === 'string') return command
  return Array.isArray(command) ? command.filter((word) => typeof word === 'string').join('\n') : ''
}

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\r?$/gm

/** Files that a patch names. Models also run `apply_patch` inside a shell: the same lines count there. */
function patchedFiles(text: string): string[] {
  if (!text.includes('*** Begin Patch')) return []
  return [...text.matchAll(PATCHED)].map(([, path = '']) => path.trim())
}

function readLines(lines: readonly string[]): TranscriptEntry[] {
  const records = parseRecords(lines).map((record) => ({
    type: own(record, 'type'),
    payload: fieldsIn(record, 'payload'),
  }))
  const failed = new Set(
    records.flatMap(({ payload }) => {
      const isFailed =
        own(payload, 'type') === 'patch_apply_end' && own(payload, 'success') === false
      return isFailed ? (textIn(payload, 'call_id') ?? []) : []
    }),
  )
  const entries: TranscriptEntry[] = []
  const lastWords = new Map<string, string>()
  for (const { type, payload } of records) {
    if (failed.has(textIn(payload, 'call_id') ?? '')) continue
    for (const entry of recordEntries(type, payload)) {
      if (entry.kind === 'prompt' || entry.kind === 'assistant') {
        if (lastWords.get(entry.kind) === entry.text) continue
        lastWords.set(entry.kind, entry.text)
      }
      entries.push(entry)
    }
  }
  return entries
}

function recordEntries(type: unknown, payload: Fields): TranscriptEntry[] {
  const about = own(payload, 'type')
  if (type === 'response_item') return itemEntries(about, payload)
  if (type === 'event_msg') return eventEntries(about, payload)
  if (type !== 'compacted') return []
  return [{ kind: 'summary', text: keepEnds(textIn(payload, 'message') ?? '') }]
}

function itemEntries(type: unknown, payload: Fields): TranscriptEntry[] {
  const name = textIn(payload, 'name')
  switch (type) {
    case 'message':
      return messageEntries(textIn(payload, 'role'), messageText(own(payload, 'content')))
    case 'function_call':
    case 'custom_tool_call':
      if (name === undefined) return []
      return [toolEntry(name, own(payload, 'arguments') ?? own(payload, 'input'))]
    case 'local_shell_call':
      return [toolEntry('local_shell', own(payload, 'action'))]
    default:
      return []
  }
}

function toolEntry(name: string, input: unknown): TranscriptEntry {
  return { kind: 'tool', tool: readTool(name, input) }
}

function eventEntries(type: unknown, payload: Fields): TranscriptEntry[] {
  const item = fieldsIn(payload, 'item')
  switch (type) {
    case 'user_message':
      return messageEntries('user', textIn(payload, 'message') ?? '')
    case 'agent_message':
      return messageEntries('assistant', textIn(payload, 'message') ?? '')
    case 'patch_apply_end':
      return changeEntries(own(payload, 'changes'))
    case 'item_completed': // since 0.149
      if (own(item, 'type') !== 'FileChange' || own(item, 'status') === 'failed') return []
      return changeEntries(own(item, 'changes'))
    default:
      return []
  }
}

/** A map by path, or a list of `{path}`. */
function changeEntries(changes: unknown): TranscriptEntry[] {
  const files = Array.isArray(changes)
    ? objectsIn(changes).map((change) => textIn(change, 'path'))
    : Object.keys(asFields(changes) ?? {})
  const tool = toolUse('apply_patch', { files, mayWrite: false, todos: undefined })
  return tool.files.length === 0 ? [] : [{ kind: 'tool', tool }]
}

/** What the program says in the user's name: instructions, the environment, files of instructions. */
const NOT_THE_USER = /^(?:<[a-z_]+>|# AGENTS\.md instructions)/

function messageEntries(role: string | undefined, text: string): TranscriptEntry[] {
  const words = keepEnds(text).trim()
  if (words === '' || patchedFiles(words).length > 0) return []
  if (role === 'assistant') return [{ kind: 'assistant', text: words }]
  return role === 'user' && !NOT_THE_USER.test(words) ? [{ kind: 'prompt', text: words }] : []
}
