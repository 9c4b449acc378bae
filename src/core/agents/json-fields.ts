/** Fields of JSON that others wrote: the wanted type, or undefined. Nothing here throws. */

import type { Todo, TodoStatus } from '../session/todos.ts'
import { isObject, parseJson } from '../text/json-values.ts'
import type { ToolUse } from './agent-signal.ts'

export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = Object.freeze({})

/** A JSON object; undefined for anything else. */
export function parseFields(text: string): Fields | undefined {
  return asFields(parseJson(text))
}

/** The objects among these values; everything else is passed over. */
export function objectsIn(values: readonly unknown[]): Fields[] {
  return values.map(asFields).filter((value) => value !== undefined)
}

/** The JSON objects among these lines. */
export function parseRecords(lines: readonly string[]): Fields[] {
  return lines.map(parseFields).filter((record) => record !== undefined)
}

export function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

/** The object in a field; empty when there is none. */
export function fieldsIn(fields: Fields, key: string): Fields {
  return asFields(own(fields, key)) ?? NO_FIELDS
}

export function listIn(fields: Fields, key: string): readonly unknown[] {
  const value = own(fields, key)
  return Array.isArray(value) ? value : []
}

/** A string that is not blank. */
export function textIn(fields: Fields, key: string): string | undefined {
  const value = own(fields, key)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Inherited keys (`__proto__`, `constructor`) are no fields. */
export function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** An absolute path; a NUL byte would make every system call throw. */
export function pathIn(fields: Fields, key: string): string | undefined {
  const path = textIn(fields, key)
  return path?.startsWith('/') === true && isPath(path) ? path : undefined
}

function isPath(path: string): boolean {
  return path.length <= 4096 && !path.includes('\0')
}

/** A short word such as a reason or an id. */
export function wordIn(fields: Fields, key: string): string | undefined {
  const text = textIn(fields, key)
  return text === undefined || text.length > 200 ? undefined : text
}

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

/** A list that is replaced as a whole; entries without a text or with an unknown status are not kept. */
export function todoList(items: readonly unknown[], textKey: string): Todo[] {
  return items.flatMap((item) => {
    const fields = asFields(item) ?? NO_FIELDS
    const [text, status] = [textIn(fields, textKey), todoStatus(own(fields, 'status'))]
    if (text === undefined || status === undefined || status === 'dropped') return []
    return [{ id: undefined, text: text.slice(0, MAX_TODO_TEXT), status }]
  })
}

export const MAX_TODO_TEXT = 2000

/** UTF-16 units of a command; more is a file that is written by it. */
const MAX_COMMAND = 20_000

/** Of patches of machines, many. */
const MAX_FILES = 500

/** A tool's use, with each file that it names once; what cannot be a path is left out. */
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
  return {
    name: name.slice(0, 200),
    files: pathsAmong(files),
    ...use,
    ...(read.length > 0 && { reads: read }),
    ...(command !== undefined && { command: command.slice(0, MAX_COMMAND) }),
  }
}

function pathsAmong(files: readonly (string | undefined)[]): string[] {
  const paths = files.flatMap((path) => (path !== undefined && isPath(path) ? [path] : []))
  return [...new Set(paths)].filter((path) => path !== '').slice(0, MAX_FILES)
}
