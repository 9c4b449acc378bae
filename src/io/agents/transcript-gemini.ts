/**
 * Gemini CLI's transcript: JSON lines (a head, then messages, each written again whenever it grows, with
 * `$set` and `$rewindTo` between them), or the one pretty-printed document of older releases.
 */

import { keepEnds } from '../../core/agents/agent-signal.ts'
import type { TranscriptEntry } from '../../core/agents/transcript-entry.ts'
import { readGeminiTool } from './gemini-tools.ts'
import type { Fields } from './json-fields.ts'
import {
  fieldsIn,
  listIn,
  messageText,
  objectsIn,
  own,
  parseFields,
  parseRecords,
  textIn,
} from './json-fields.ts'

export function readGeminiLines(lines: readonly string[]): TranscriptEntry[] {
  const records = parseRecords(lines)
  // A line of a pretty-printed document may be an object of its own, but never one of these.
  const isDocument = lines[0]?.trim() === '{'
  const document = isDocument ? parseFields(lines.join('\n')) : undefined
  return messagesOf(document === undefined ? records : [document]).flatMap(messageEntries)
}

/** The messages that the person sees: the last version of each, in the order they came. */
function messagesOf(records: readonly Fields[]): Fields[] {
  let messages = new Map<string, Fields>()
  for (const record of records) {
    const rewind = textIn(record, '$rewindTo')
    const all = own(record, 'messages') ?? own(fieldsIn(record, '$set'), 'messages')
    if (rewind !== undefined) messages = before(messages, rewind)
    else if (Array.isArray(all)) messages = byId(all)
    else for (const [id, message] of byId([record])) messages.set(id, message)
  }
  return [...messages.values()]
}

function byId(messages: readonly unknown[]): Map<string, Fields> {
  return new Map(
    objectsIn(messages).flatMap((message): [string, Fields][] => {
      const id = textIn(message, 'id')
      return id === undefined ? [] : [[id, message]]
    }),
  )
}

/** The messages before this one; none when it is not here: then all of these came later. */
function before(messages: ReadonlyMap<string, Fields>, id: string): Map<string, Fields> {
  const ids = [...messages.keys()]
  return new Map([...messages].slice(0, Math.max(0, ids.indexOf(id))))
}

/** Commands, and what the program says in the user's name. */
const NOT_THE_USER = /^(?:[/?]|<(?:session|hook)_context>)/

function messageEntries(message: Fields): TranscriptEntry[] {
  const text = keepEnds(messageText(own(message, 'content'))).trim()
  switch (own(message, 'type')) {
    case 'user':
      return text === '' || NOT_THE_USER.test(text) ? [] : [{ kind: 'prompt', text }]
    case 'gemini': {
      const tools = objectsIn(listIn(message, 'toolCalls')).flatMap(toolEntry)
      return text === '' ? tools : [{ kind: 'assistant', text }, ...tools]
    }
    default:
      return []
  }
}

function toolEntry(call: Fields): TranscriptEntry[] {
  const [name, status] = [textIn(call, 'name'), textIn(call, 'status')]
  if (name === undefined || (status !== undefined && status !== 'success')) return []
  const tool = readGeminiTool(name, textIn(call, 'id'), fieldsIn(call, 'args'))
  return [{ kind: 'tool', tool }]
}
