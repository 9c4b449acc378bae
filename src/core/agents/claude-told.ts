/**
 * Lines of a transcript of Claude Code without what `readLines` passes over. Most of a log is what tools were given
 * to write and gave back, of which nothing is told: nobody need look for secrets in it. Pure.
 */

import { WRITERS } from './claude-tools.ts'
import { INTERRUPTED } from './claude-words.ts'
import type { Fields } from './json-fields.ts'
import {
  asFields,
  fieldsIn,
  listIn,
  messageText,
  objectsIn,
  own,
  parseFields,
} from './json-fields.ts'

/** Tools whose answers say more than that all went well. */
const TELLING = new Set<unknown>(['Bash', 'AskUserQuestion', 'ExitPlanMode', 'TaskCreate'])
const WRITTEN = ['content', 'old_string', 'new_string', 'edits', 'new_source']
/** They stand in the answer to the model, too. */
const OUTPUTS = ['stdout', 'stderr']

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
  const content = contentOf(record)
  if (content.length === 0) return line
  const told = content.map((block) => toldBlock(block, telling))
  const isAnswer = objectsIn(content).some((block) => isTold(block, telling))
  const result = own(record, 'toolUseResult')
  const toldResult = isAnswer ? without(result, OUTPUTS) : undefined
  if (toldResult === result && told.every((block, at) => block === content[at])) return line
  const message = { ...fieldsIn(record, 'message'), content: told }
  try {
    return JSON.stringify({ ...record, toolUseResult: toldResult, message })
  } catch {
    return line // nested deeper than it can be written
  }
}

function contentOf(record: Fields): readonly unknown[] {
  return listIn(fieldsIn(record, 'message'), 'content')
}

function toldBlock(block: unknown, telling: ReadonlySet<unknown>): unknown {
  const fields = asFields(block) ?? {}
  switch (own(fields, 'type')) {
    case 'thinking':
      return without(block, ['thinking', 'signature'])
    case 'tool_result':
      return isTold(fields, telling) ? block : without(block, ['content'])
    case 'tool_use': {
      const input = own(fields, 'input')
      const told = WRITERS.has(String(own(fields, 'name'))) ? without(input, WRITTEN) : input
      return told === input ? block : { ...fields, input: told }
    }
    default:
      return block
  }
}

/** False for an answer that only says that all went well, and for what is none. */
function isTold(block: Fields, telling: ReadonlySet<unknown>): boolean {
  if (own(block, 'type') !== 'tool_result') return false
  const isWell = own(block, 'is_error') !== true && !telling.has(own(block, 'tool_use_id'))
  return !isWell || INTERRUPTED.test(messageText(own(block, 'content')))
}

/** The same value where it has none of them. */
function without(value: unknown, keys: readonly string[]): unknown {
  const fields = asFields(value)
  if (fields === undefined || !keys.some((key) => Object.hasOwn(fields, key))) return value
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)))
}
