/** What Claude Code's tools did: the files they name, and the to-do list. */

import type { TodoChange } from '../session/todos.ts'
import type { ToolUse } from './agent-signal.ts'
import { commandLabel, fileOrSubject } from './call-entries.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields, fieldsIn, listIn, own, textIn, wordIn } from '../text/json-fields.ts'
import { MAX_TODO_TEXT, messageText, todoList, todoStatus, toolUse } from './tool-use.ts'

/** Editors that start Claude Code over the Agent Client Protocol offer its tools as their own: `mcp__acp__Bash`. */
export function ownName(name: string): string {
  return name.replace(/^mcp__acp__(?=(?:Bash|Read|Edit|MultiEdit|Write)$)/, '')
}

/** The tools that write files, each with the field that names the file. */
const WRITERS = new Map([
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['Write', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])

/** `Task` is the older name of `Agent`; MCP tools may do anything. */
const MAY_WRITE = /^(?:Bash|Task|Agent|mcp__.*)$/s

export function readTool(called: string, input: Fields, result: unknown): ToolUse {
  const name = ownName(called)
  const key = WRITERS.get(name)
  return toolUse(name, {
    files: key === undefined ? [] : [textIn(input, key)],
    reads: name === 'Read' ? [textIn(input, 'file_path')] : [],
    command: name === 'Bash' ? textIn(input, 'command') : undefined,
    mayWrite: MAY_WRITE.test(name),
    todos: todoChange(name, input, result),
  })
}

/** The program's own bookkeeping: these calls say nothing about the progress of the work. */
const SILENT =
  /^(?:Todo(?:Write|Read)|Task(?:Create|Update|List|Get|Output)|ToolSearch|(?:Enter|Exit)PlanMode)$/

/** A short label for a call: its command, or its name and subject. */
export function toolLabel(called: string, input: Fields): { label?: string } {
  const name = ownName(called)
  const isGoodbye = name === 'SendMessage' && textIn(input, 'type') === 'shutdown_response'
  if (SILENT.test(name) || isGoodbye) return {}
  const command = name === 'Bash' ? textIn(input, 'command') : undefined
  if (command !== undefined) return { label: commandLabel(command) }
  const file = textIn(input, WRITERS.get(name) ?? 'file_path')
  const subjects = ['description', 'query', 'pattern', 'url', 'skill']
  return { label: fileOrSubject(name, file, input, subjects) }
}

/** `TodoWrite` replaces the list; its successors `TaskCreate` and `TaskUpdate` change one task. */
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

/** The number that the agent gave to a new task: from a field, or from the sentence in the answer. */
function createdTask(result: unknown): string | undefined {
  const fields = asFields(result)
  const id = fields && (wordIn(fieldsIn(fields, 'task'), 'id') ?? wordIn(fields, 'taskId'))
  if (id !== undefined) return id
  const text = messageText(fields === undefined ? result : own(fields, 'content'))
  return /^Task #(\d{1,9}) created\b/.exec(text)?.[1]
}
