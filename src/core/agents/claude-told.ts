/**
 * Lines of a transcript of Claude Code without what `readLines` passes over. Most of a log is what tools were given
 * to write and gave back, of which nothing is told: nobody need look for secrets in it. Pure.
 */

import { INTERRUPTED } from './claude-words.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields, fieldsIn, listIn, objectsIn, own, parseFields } from '../text/json-fields.ts'
import { messageText } from './tool-use.ts'

/** Tools whose answers say more than that all went well. */
const TELLING = new Set<unknown>([
  'Bash',
  'AskUserQuestion',
  'ExitPlanMode',
  'TaskCreate',
  'Task',
  'Agent',
])

/** What a tool is given to write. */
const WRITTEN = without('content', 'old_string', 'new_string', 'edits', 'new_source', 'prompt')
/** What stands in the answer to the model, or in the call, too. */
const OUTPUTS = without('stdout', 'stderr', 'prompt')

/** JSON has no fields without a value. */
function without(...keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, undefined]))
}

export function toldLines(lines: readonly string[]): string[] {
  const telling = new Set(lines.filter((line) => line.includes('"tool_use"')).flatMap(tellingCalls))
  return lines.map((line) => toldLine(line, telling))
}

/** Ids of the calls whose answers tell something. */
function tellingCalls(line: string): unknown[] {
  const calls = objectsIn(contentOf(parseFields(line) ?? {}))
  return calls.filter((call) => TELLING.has(own(call, 'name'))).map((call) => own(call, 'id'))
}

function toldLine(line: string, telling: ReadonlySet<unknown>): string {
  const record = parseFields(line) ?? {}
  const blocks = contentOf(record)
  if (blocks.length === 0) return line
  const isAnswer = objectsIn(blocks).some((block) => isTold(block, telling))
  const result = isAnswer ? own(record, 'toolUseResult') : undefined
  const toolUseResult = asFields(result) ? { ...asFields(result), ...OUTPUTS } : result
  const told = blocks.map((block) => toldBlock(block, telling))
  try {
    const message = { ...fieldsIn(record, 'message'), content: told }
    return JSON.stringify({ ...record, toolUseResult, message })
  } catch {
    return line // nested deeper than it can be written
  }
}

function contentOf(record: Fields): readonly unknown[] {
  return listIn(fieldsIn(record, 'message'), 'content')
}

function toldBlock(block: unknown, telling: ReadonlySet<unknown>): unknown {
  const fields = asFields(block) ?? {}
  const type = own(fields, 'type')
  if (type === 'thinking') return { type }
  if (type === 'tool_result')
    return isTold(fields, telling) ? block : { ...fields, content: undefined }
  if (type !== 'tool_use') return block
  return { ...fields, input: { ...fieldsIn(fields, 'input'), ...WRITTEN } }
}

/** False for an answer that only says that all went well, and for what is none. */
function isTold(block: Fields, telling: ReadonlySet<unknown>): boolean {
  if (own(block, 'type') !== 'tool_result') return false
  const isWell = own(block, 'is_error') !== true && !telling.has(own(block, 'tool_use_id'))
  return !isWell || INTERRUPTED.test(messageText(own(block, 'content')))
}
