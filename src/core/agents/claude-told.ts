/**
 * Reduces lines of a Claude Code transcript to what `readLines` uses. Most of a log is the input and output of tools,
 * which `readLines` ignores; without it there is less text to search for secrets. Pure.
 */

import { INTERRUPTED } from './claude-words.ts'
import type { Fields } from '../text/json-fields.ts'
import {
  asFields,
  fieldsIn,
  listIn,
  objectsIn,
  own,
  parseFields,
  textIn,
} from '../text/json-fields.ts'
import { ownName } from './claude-tools.ts'
import { messageText } from './tool-use.ts'

/** Tools whose answers are used even if the call succeeded. */
const REPORTING_TOOLS = new Set([
  'Bash',
  'AskUserQuestion',
  'ExitPlanMode',
  'TaskCreate',
  'Task',
  'Agent',
])

/** Input fields with the text that a tool is to write. */
const WRITTEN = without('content', 'old_string', 'new_string', 'edits', 'new_source', 'prompt')
/** Result fields that repeat the answer to the model, or the call. */
const OUTPUTS = without('stdout', 'stderr', 'prompt')

/** Undefined fields: `JSON.stringify` leaves them out. */
function without(...keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, undefined]))
}

export function toldLines(lines: readonly string[]): string[] {
  const usedIds = new Set(
    lines.filter((line) => line.includes('"tool_use"')).flatMap(reportingCallIds),
  )
  return lines.map((line) => reduceLine(line, usedIds))
}

/** Ids of the calls whose answers are used. */
function reportingCallIds(line: string): unknown[] {
  const calls = objectsIn(contentOf(parseFields(line) ?? {}))
  return calls
    .filter((call) => REPORTING_TOOLS.has(ownName(textIn(call, 'name') ?? '')))
    .map((call) => own(call, 'id'))
}

function reduceLine(line: string, usedIds: ReadonlySet<unknown>): string {
  const record = parseFields(line) ?? {}
  const blocks = contentOf(record)
  if (blocks.length === 0) return line
  const hasAnswer = objectsIn(blocks).some((block) => isUsedAnswer(block, usedIds))
  const result = hasAnswer ? own(record, 'toolUseResult') : undefined
  const toolUseResult = asFields(result) ? { ...asFields(result), ...OUTPUTS } : result
  const content = blocks.map((block) => reduceBlock(block, usedIds))
  try {
    const message = { ...fieldsIn(record, 'message'), content }
    return JSON.stringify({ ...record, toolUseResult, message })
  } catch {
    return line // nested too deeply to be serialized
  }
}

function contentOf(record: Fields): readonly unknown[] {
  return listIn(fieldsIn(record, 'message'), 'content')
}

function reduceBlock(block: unknown, usedIds: ReadonlySet<unknown>): unknown {
  const fields = asFields(block) ?? {}
  const type = own(fields, 'type')
  if (type === 'thinking') return { type }
  if (type === 'tool_result')
    return isUsedAnswer(fields, usedIds) ? block : { ...fields, content: undefined }
  // What an agent writes to another one is used.
  if (type !== 'tool_use' || own(fields, 'name') === 'SendMessage') return block
  return { ...fields, input: { ...fieldsIn(fields, 'input'), ...WRITTEN } }
}

/** True for an answer that is used: of a failed, refused or interrupted call, or of a reporting tool. */
function isUsedAnswer(block: Fields, usedIds: ReadonlySet<unknown>): boolean {
  if (own(block, 'type') !== 'tool_result') return false
  const isPlainSuccess = own(block, 'is_error') !== true && !usedIds.has(own(block, 'tool_use_id'))
  return !isPlainSuccess || INTERRUPTED.test(messageText(own(block, 'content')))
}
