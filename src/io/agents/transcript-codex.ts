/**
 * Codex's transcript ("rollout"): one `{timestamp, type, payload}` a line. The format is not promised,
 * and says most things twice: as `event_msg` (what the person saw) and as `response_item` (what the
 * model got). Words that stand twice in a row count once; files are a set anyway.
 */

import { keepEnds } from '../../core/agents/agent-signal.ts'
import type { TranscriptEntry } from '../../core/agents/transcript-entry.ts'
import { patchedFiles, readCodexTool } from './codex-tools.ts'
import type { Fields } from './json-fields.ts'
import {
  asFields,
  fieldsIn,
  isPath,
  messageText,
  own,
  objectsIn,
  parseFields,
  parseRecords,
  textIn,
} from './json-fields.ts'

export function readCodexLines(lines: readonly string[]): TranscriptEntry[] {
  const records = parseRecords(lines)
  const failed = failedPatches(records)
  const entries: TranscriptEntry[] = []
  const lastWords = new Map<string, string>()
  for (const entry of records.flatMap((record) => recordEntries(record, failed))) {
    if (entry.kind === 'prompt' || entry.kind === 'assistant') {
      if (lastWords.get(entry.kind) === entry.text) continue
      lastWords.set(entry.kind, entry.text)
    }
    entries.push(entry)
  }
  return entries
}

function failedPatches(records: readonly Fields[]): Set<string> {
  const ids = records.flatMap((record) => {
    const payload = fieldsIn(record, 'payload')
    const failed = own(payload, 'type') === 'patch_apply_end' && own(payload, 'success') === false
    return failed ? (textIn(payload, 'call_id') ?? []) : []
  })
  return new Set(ids)
}

function recordEntries(record: Fields, failed: ReadonlySet<string>): TranscriptEntry[] {
  const payload = fieldsIn(record, 'payload')
  const id = textIn(payload, 'call_id')
  if (id !== undefined && failed.has(id)) return []
  switch (own(record, 'type')) {
    case 'response_item':
      return itemEntries(payload, id)
    case 'event_msg':
      return eventEntries(payload, id)
    case 'compacted':
      return [{ kind: 'summary', text: keepEnds(textIn(payload, 'message') ?? '') }]
    default:
      return []
  }
}

function itemEntries(payload: Fields, id: string | undefined): TranscriptEntry[] {
  const name = textIn(payload, 'name')
  switch (own(payload, 'type')) {
    case 'message':
      return messageEntries(textIn(payload, 'role'), messageText(own(payload, 'content')))
    case 'function_call':
    case 'custom_tool_call':
      if (name === undefined) return []
      return callEntries(name, id, own(payload, 'arguments') ?? own(payload, 'input'))
    case 'local_shell_call':
      return callEntries('local_shell', id, own(payload, 'action'))
    default:
      return []
  }
}

function callEntries(name: string, id: string | undefined, input: unknown): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [{ kind: 'tool', tool: readCodexTool(name, id, input) }]
  if (name === 'spawn_agent') {
    const fields = asFields(input) ?? parseFields(typeof input === 'string' ? input : '') ?? {}
    const task = textIn(fields, 'message') ?? ''
    entries.push({ kind: 'subagent', type: textIn(fields, 'agent_type'), task: keepEnds(task) })
  }
  return entries
}

function eventEntries(payload: Fields, id: string | undefined): TranscriptEntry[] {
  const item = fieldsIn(payload, 'item')
  switch (own(payload, 'type')) {
    case 'user_message':
      return messageEntries('user', textIn(payload, 'message') ?? '')
    case 'agent_message':
      return messageEntries('assistant', textIn(payload, 'message') ?? '')
    case 'patch_apply_end':
      return changeEntries(own(payload, 'changes'), id)
    case 'item_completed': // since 0.149
      if (own(item, 'type') !== 'FileChange' || own(item, 'status') === 'failed') return []
      return changeEntries(own(item, 'changes'), textIn(item, 'id'))
    default:
      return []
  }
}

/** A map by path, or a list of `{path}`. */
function changeEntries(changes: unknown, id: string | undefined): TranscriptEntry[] {
  const paths = Array.isArray(changes)
    ? objectsIn(changes).flatMap((change) => textIn(change, 'path') ?? [])
    : Object.keys(asFields(changes) ?? {})
  const files = paths.filter((path) => path !== '' && isPath(path)).slice(0, 500)
  if (files.length === 0) return []
  const tool = { name: 'apply_patch', id, files, mayWrite: false, todos: undefined }
  return [{ kind: 'tool', tool }]
}

/** What the program says in the user's name: instructions, the environment, files of instructions. */
const NOT_THE_USER = /^(?:<[a-z_]+>|# AGENTS\.md instructions)/

function messageEntries(role: string | undefined, text: string): TranscriptEntry[] {
  const words = keepEnds(text).trim()
  if (words === '' || patchedFiles(words).length > 0) return []
  if (role === 'assistant') return [{ kind: 'assistant', text: words }]
  return role === 'user' && !NOT_THE_USER.test(words) ? [{ kind: 'prompt', text: words }] : []
}
