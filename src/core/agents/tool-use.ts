/** Reads messages, to-do lists and uses of tools from JSON that agents wrote. Nothing here throws. */

import type { Todo, TodoStatus } from '../session/todos.ts'
import { asFields, isPath, NO_FIELDS, own, textIn } from '../text/json-fields.ts'
import type { ToolUse } from './agent-signal.ts'
import { filesWrittenBy } from './shell-files.ts'

/** The text of a message: a string, or the `text` of each of its parts. */
export function messageText(content: unknown, isText = (_type: unknown) => true): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part) => {
      const fields = typeof part === 'string' ? { text: part } : asFields(part)
      const text = fields !== undefined && isText(own(fields, 'type')) && textIn(fields, 'text')
      return typeof text === 'string' ? [text] : []
    })
    .join('\n\n')
}

const STATUSES: Readonly<Record<string, TodoStatus | 'dropped'>> = {
  pending: 'pending',
  blocked: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  cancelled: 'dropped',
  deleted: 'dropped',
}

export function todoStatus(value: unknown): TodoStatus | 'dropped' | undefined {
  return typeof value === 'string' && Object.hasOwn(STATUSES, value) ? STATUSES[value] : undefined
}

/** Reads a whole to-do list; entries without a text or with an unknown status are left out. */
export function todoList(items: readonly unknown[], textKey: string): Todo[] {
  return items.flatMap((item) => {
    const fields = asFields(item) ?? NO_FIELDS
    const [text, status] = [textIn(fields, textKey), todoStatus(own(fields, 'status'))]
    if (text === undefined || status === undefined || status === 'dropped') return []
    return [{ id: undefined, text: text.slice(0, MAX_TODO_TEXT), status }]
  })
}

/** UTF-16 units of a to-do that are kept. */
export const MAX_TODO_TEXT = 2000

/** UTF-16 units of a command that are kept; a longer command contains a file that it writes. */
const MAX_COMMAND = 20_000

/** Files that are kept of one call; machine-made patches name many. */
const MAX_FILES = 500

/** The use of a tool, with each file once; texts that cannot be paths are left out. */
export function toolUse(
  name: string,
  {
    files,
    reads = [],
    command,
    ...use
  }: Omit<ToolUse, 'name' | 'files' | 'reads' | 'command'> & {
    files: readonly (string | undefined)[]
    reads?: readonly (string | undefined)[]
    command?: string | undefined
  },
): ToolUse {
  const read = pathsAmong(reads)
  const script = command?.slice(0, MAX_COMMAND)
  const folder = use.folder?.startsWith('/') === true ? use.folder.replace(/\/+$/, '') : ''
  const written = filesWrittenBy(script ?? '', folder).filter((file) => !file.startsWith('~'))
  return {
    name: name.slice(0, 200),
    files: pathsAmong([...files, ...written]),
    ...use,
    ...(read.length > 0 && { reads: read }),
    ...(script !== undefined && { command: script }),
  }
}

function pathsAmong(files: readonly (string | undefined)[]): string[] {
  const paths = files.flatMap((path) => (path !== undefined && isPath(path) ? [path] : []))
  return [...new Set(paths)].filter((path) => path !== '').slice(0, MAX_FILES)
}
