/**
 * Claude Code's transcript: one JSON record a line.
 *
 * A response spans several lines, one a content block, that share `message.id`; a resumed session may
 * repeat records of the one before. `isSidechain` marks a subagent's records: their tools count, their
 * words do not. Records of `isMeta` and texts in the program's own tags are not the user's.
 */

import type { TranscriptEntry } from '../../core/agents/transcript-entry.ts'
import { keepEnds } from '../../core/agents/agent-signal.ts'
import { readClaudeTool } from './claude-tools.ts'
import type { Fields } from './json-fields.ts'
import {
  asFields,
  fieldsIn,
  listIn,
  messageText,
  objectsIn,
  own,
  parseRecords,
  textIn,
} from './json-fields.ts'

export function readClaudeLines(lines: readonly string[]): TranscriptEntry[] {
  const records = uniqueRecords(lines)
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

/** By their ids; a repeated record is the same record. */
function uniqueRecords(lines: readonly string[]): Fields[] {
  const byId = parseRecords(lines).map((record, i): [string, Fields] => [
    textIn(record, 'uuid') ?? `line ${i}`,
    record,
  ])
  return [...new Map(byId).values()]
}

interface ToolResult {
  readonly isError: boolean
  readonly value: unknown
}

/** Answers by the id of their call. A call whose answer is not there (yet) counts as done. */
function toolResults(records: readonly Fields[]): Map<string, ToolResult> {
  const results = new Map<string, ToolResult>()
  for (const record of records) {
    for (const block of blocksOf(record)) {
      const id = own(block, 'type') === 'tool_result' ? textIn(block, 'tool_use_id') : undefined
      if (id === undefined) continue
      const value = asFields(own(record, 'toolUseResult')) ?? own(block, 'content')
      results.set(id, { isError: own(block, 'is_error') === true, value })
    }
  }
  return results
}

function blocksOf(record: Fields): Fields[] {
  return objectsIn(listIn(fieldsIn(record, 'message'), 'content'))
}

function recordEntries(
  record: Fields,
  results: ReadonlyMap<string, ToolResult>,
): TranscriptEntry[] {
  switch (own(record, 'type')) {
    case 'user':
      return userEntries(record)
    case 'assistant':
      return isSynthetic(record)
        ? []
        : blocksOf(record).flatMap((block) => assistantEntries(block, record, results))
    default:
      return []
  }
}

/** Errors and fillers that the program writes in the agent's name. */
function isSynthetic(record: Fields): boolean {
  const model = own(fieldsIn(record, 'message'), 'model')
  return own(record, 'isApiErrorMessage') === true || model === '<synthetic>'
}

/** Only words: a record with the answers of tools says nothing of the user's. */
function userEntries(record: Fields): TranscriptEntry[] {
  if (own(record, 'isMeta') === true || own(record, 'isSidechain') === true) return []
  const text = messageText(
    own(fieldsIn(record, 'message'), 'content'),
    (type) => type === undefined || type === 'text',
  )
  if (own(record, 'isCompactSummary') === true) return [{ kind: 'summary', text: keepEnds(text) }]
  const prompt = userWords(text)
  return prompt === '' ? [] : [{ kind: 'prompt', text: prompt }]
}

/** What the program wraps around, or puts in place of, what the user typed. */
const TAGS =
  'system-reminder|ide_[a-z_]+|command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|task-[a-z]+'
const WRAPPED = new RegExp(`<(${TAGS})>[^<]*(?:<(?!/\\1>)[^<]*)*(?:</\\1>|$)`, 'g')
const NOT_THE_USER = /^(?:\[Request interrupted by user|Caveat: The messages below )/
/** Older releases wrote a line behind it. */
const OWN_PROMPT = /^\s*<task-notification>/

function userWords(text: string): string {
  if (OWN_PROMPT.test(text)) return ''
  const words = keepEnds(text).replace(WRAPPED, '').trim()
  return NOT_THE_USER.test(words) ? '' : words
}

function assistantEntries(
  block: Fields,
  record: Fields,
  results: ReadonlyMap<string, ToolResult>,
): TranscriptEntry[] {
  const isSidechain = own(record, 'isSidechain') === true
  if (own(block, 'type') === 'tool_use') return toolEntries(block, isSidechain, results)
  const text = own(block, 'type') === 'text' && !isSidechain ? textIn(block, 'text') : undefined
  return text === undefined ? [] : [{ kind: 'assistant', text: keepEnds(text.trim()) }]
}

function toolEntries(
  block: Fields,
  isSidechain: boolean,
  results: ReadonlyMap<string, ToolResult>,
): TranscriptEntry[] {
  const [name, id, input] = [textIn(block, 'name'), textIn(block, 'id'), fieldsIn(block, 'input')]
  const result = id === undefined ? undefined : results.get(id)
  if (name === undefined || result?.isError === true) return []
  const tool = readClaudeTool({ name, id, input, result: result?.value })
  const entries: TranscriptEntry[] = [
    { kind: 'tool', tool: isSidechain ? { ...tool, todos: undefined } : tool },
  ]
  if (name === 'Task' || name === 'Agent') {
    const task = textIn(input, 'description') ?? ''
    entries.push({ kind: 'subagent', type: textIn(input, 'subagent_type'), task })
  }
  return entries
}
