/** What Gemini CLI's tools do to files and to the to-do list; for payloads and transcripts alike. */

import type { ToolUse } from '../../core/agents/agent-signal.ts'
import type { Fields } from './json-fields.ts'
import { isPath, listIn, textIn, todoList } from './json-fields.ts'

const WRITERS = new Set(['replace', 'write_file'])
const MAY_WRITE = /^(?:run_shell_command|mcp_.*)$/s

export function readGeminiTool(name: string, id: string | undefined, input: Fields): ToolUse {
  const path = WRITERS.has(name) ? textIn(input, 'file_path') : undefined
  const todos = name === 'write_todos' ? listIn(input, 'todos') : undefined
  return {
    name: name.slice(0, 200),
    id: id !== undefined && id.length <= 200 ? id : undefined,
    files: path !== undefined && isPath(path) ? [path] : [],
    mayWrite: MAY_WRITE.test(name),
    todos: todos && { kind: 'list', todos: todoList(todos, 'description') },
  }
}
