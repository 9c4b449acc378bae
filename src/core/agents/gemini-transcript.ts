/**
 * Transcripts of Gemini CLI: JSON lines (a header, then messages, each written again whenever it grows, with
 * `$set` and `$rewindTo` records in between), or one pretty-printed document in older releases.
 *
 * A call is part of the message that made it, together with its answer. When the user stops a turn, the program
 * writes a message.
 */

import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { TranscriptEntry } from './agent-signal.ts'
import { keepEnds, titleEntry } from './agent-signal.ts'
import type { Outcome } from './call-entries.ts'
import { askedQuestions, callEntries } from './call-entries.ts'
import { outcomeOf, readTool, toolLabel } from './gemini-tools.ts'
import { promptWords } from './gemini-words.ts'
import type { Fields } from '../text/json-fields.ts'
import {
  fieldsIn,
  listIn,
  objectsIn,
  own,
  parseFields,
  parseRecords,
  textIn,
} from '../text/json-fields.ts'
import { messageText } from './tool-use.ts'

export function readLines(lines: readonly string[]): TranscriptEntry[] {
  const records = parseRecords(lines)
  // A line of a pretty-printed document may be an object by itself, but never one of these records.
  const isDocument = lines[0]?.trim() === '{'
  const document = isDocument ? parseFields(lines.join('\n')) : undefined
  const all = document === undefined ? records : [document]
  const messages = messagesOf(all)
  return [
    ...titleEntries(all),
    ...messages.flatMap((one, i) => messageEntries(one, messages[i + 1])),
  ]
}

/** The title is the session's summary, a line such as `Fix CORS error for Cloud Functions.` */
function titleEntries(records: readonly Fields[]): TranscriptEntry[] {
  const heads = records.filter((record) => own(record, 'type') === undefined)
  const titles = heads.flatMap(
    (record) => textIn(fieldsIn(record, '$set'), 'summary') ?? textIn(record, 'summary') ?? [],
  )
  return titleEntry(titles.at(-1))
}

/** The messages that the person sees: the last version of each, in their original order. */
function messagesOf(records: readonly Fields[]): Fields[] {
  let messages = new Map<string, Fields>()
  for (const record of records) {
    const rewind = textIn(record, '$rewindTo')
    const all = own(record, 'messages') ?? own(fieldsIn(record, '$set'), 'messages')
    if (rewind !== undefined) {
      // If the message is not in these records, all of them came after it.
      const at = [...messages.keys()].indexOf(rewind)
      messages = new Map([...messages].slice(0, Math.max(0, at)))
    } else if (Array.isArray(all)) messages = byId(all)
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

/** `next`: the message after this one. */
function messageEntries(message: Fields, next: Fields | undefined): TranscriptEntry[] {
  const text = keepEnds(messageText(own(message, 'content'))).trim()
  switch (own(message, 'type')) {
    case 'user':
      return promptEntry(promptWords(text, own(next ?? {}, 'type') === 'gemini'), timeOf(message))
    case 'gemini':
      return [
        ...(text === '' ? [] : [{ kind: 'assistant', text } as const]),
        ...objectsIn(listIn(message, 'toolCalls')).flatMap(toolEntries),
      ]
    case 'info':
    case 'error':
      return programEntries(text, timeOf(message))
    default:
      return []
  }
}

function timeOf(record: Fields): Instant | undefined {
  return parseInstant(textIn(record, 'timestamp') ?? '')?.instant
}

function promptEntry(text: string, at: Instant | undefined): TranscriptEntry[] {
  return text === '' ? [] : [{ kind: 'prompt', text, at }]
}

/** Messages of the program that say that a turn ended before the model had finished. */
const STOPPED = /^Request cancelled\.?$/
const FAILED =
  /^\[API Error: |^(?:⚠️\s*)?Response (?:stopped|truncated) due to |^A potential loop was detected\b/

function programEntries(text: string, at: Instant | undefined): TranscriptEntry[] {
  if (STOPPED.test(text)) return [{ kind: 'interruption', at }]
  if (!FAILED.test(text)) return []
  const words = text.replace(/^⚠️\s*/, '').replace(/^\[API Error: ([^]*?)\]?$/, '$1')
  return [{ kind: 'failure', text: messageIn(words).trim() }]
}

/** A server's error may be JSON whose message is JSON again. */
function messageIn(text: string, depth = 0): string {
  const message = textIn(fieldsIn(parseFields(text.trim()) ?? {}, 'error'), 'message')
  return message === undefined || depth > 3 ? text : messageIn(message, depth + 1)
}

function toolEntries(call: Fields): TranscriptEntry[] {
  const name = textIn(call, 'name')
  if (name === undefined) return []
  const input = fieldsIn(call, 'args')
  const outcome = { ...outcomeOf(call), at: timeOf(call) }
  if (name === 'ask_user') return questionEntries(input, outcome)
  if (name === 'exit_plan_mode') return planEntries(input, outcome)
  const tool = readTool(name, input)
  return callEntries(tool, toolLabel(tool, input), outcome)
}

/** A plan is a file that the program keeps; only its name is known here. The program rejects faulty plans itself. */
function planEntries(input: Fields, { end, text, at }: Outcome): TranscriptEntry[] {
  const file = textIn(input, 'plan_filename') ?? textIn(input, 'plan_path') ?? ''
  const title = file.replace(/^.*[/\\]|\.md$/gs, '').replaceAll(/[_-]+/g, ' ')
  const [, isAccepted, said] = PLAN_ANSWER.exec(text) ?? []
  if (title === '' || end === 'failed') return []
  const outcome = end === 'open' ? 'open' : isAccepted === undefined ? 'refused' : 'accepted'
  return [{ kind: 'plan', plan: { text: title, outcome, said: said?.trim() }, at }]
}

const PLAN_ANSWER =
  /^Plan (?:(approved)\b|rejected\. User feedback: ([^]*?)(?=\n\nThe plan is stored|$))/

/** Answers are keyed by the question's index. A dismissed question stays open; the program rejects invalid ones. */
function questionEntries(input: Fields, { end, text, at }: Outcome): TranscriptEntry[] {
  if (end === 'failed') return []
  const questions = listIn(input, 'questions')
  const given = end === 'well' ? fieldsIn(parseFields(text) ?? {}, 'answers') : {}
  const answerTo = (question: Fields) => textIn(given, String(questions.indexOf(question)))?.trim()
  return askedQuestions(input, answerTo).map((question) => ({ kind: 'question', question, at }))
}
