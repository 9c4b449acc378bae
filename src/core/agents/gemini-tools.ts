/** What Gemini CLI's tools did: the files they name, the to-do list, and how a call ended. */

import type { ToolUse } from './agent-signal.ts'
import type { Outcome } from './call-entries.ts'
import { commandLabel, fileOrSubject } from './call-entries.ts'
import type { Fields } from '../text/json-fields.ts'
import { fieldsIn, listIn, objectsIn, own, textIn } from '../text/json-fields.ts'
import { todoList, toolUse } from './tool-use.ts'

export function readTool(name: string, input: Fields): ToolUse {
  const todos = name === 'write_todos' ? listIn(input, 'todos') : undefined
  return toolUse(name, {
    files: name === 'replace' || name === 'write_file' ? [textIn(input, 'file_path')] : [],
    reads:
      name === 'read_file' ? [textIn(input, 'absolute_path') ?? textIn(input, 'file_path')] : [],
    command: name === 'run_shell_command' ? textIn(input, 'command') : undefined,
    folder: textIn(input, 'dir_path') ?? textIn(input, 'directory'),
    mayWrite: /^(?:run_shell_command|mcp_.*)$/s.test(name),
    todos: todos && { kind: 'list', todos: todoList(todos, 'description') },
  })
}

/** The program's own bookkeeping: these calls say nothing about the progress of the work. */
const SILENT = /^(?:write_todos|ask_user|enter_plan_mode|exit_plan_mode|update_topic|save_memory)$/

/** A short label for a call: its command, or its name and subject. */
export function toolLabel({ name, command }: ToolUse, input: Fields): { label?: string } {
  if (SILENT.test(name)) return {}
  if (command !== undefined) return { label: commandLabel(command) }
  const file = textIn(input, 'file_path') ?? textIn(input, 'absolute_path')
  const subjects = ['query', 'pattern', 'question', 'objective']
  return { label: fileOrSubject(name, file, input, subjects) }
}

const REFUSED = /\bUser (?:did not allow tool call|denied execution)/

/** How a call ended. Older releases have no status. A failed shell command counts as a success of the tool. */
export function outcomeOf(call: Fields): Outcome {
  const [result = {}] = objectsIn(listIn(call, 'result'))
  const response = fieldsIn(fieldsIn(result, 'functionResponse'), 'response')
  const error = textIn(response, 'error')
  const text = error ?? textIn(response, 'output') ?? ''
  switch (own(call, 'status')) {
    case 'cancelled':
      return { end: REFUSED.test(text) ? 'refused' : 'stopped', text }
    case 'error':
      return { end: 'failed', text }
    case 'success':
    case undefined:
      return shellOutcome(text, error !== undefined)
    default:
      return { end: 'open', text }
  }
}

const STATUS = /^Exit Code: ([1-9]\d*)$/m
const PRINTED =
  /^Output: ([^]*?)(?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): |(?![^]))/m

function shellOutcome(text: string, isError: boolean): Outcome {
  const [, status] = STATUS.exec(text.slice(-1000)) ?? []
  const [, printed = text] = PRINTED.exec(text) ?? []
  if (status !== undefined) return { end: 'failed', text: `Exit code ${status}\n${printed}` }
  return { end: isError ? 'failed' : 'well', text: printed }
}
