/**
 * Transcripts of Codex: one `{timestamp, type, payload}` per line. The format is not guaranteed, and most things
 * occur twice: as `event_msg` (what the person saw) and as `response_item` (what the model got). The same words
 * twice in a row count once, but a second `yes` after an answer counts again. A call and its answer share `call_id`.
 */

import { parseInstant } from '../event/instant.ts'
import type { TranscriptEntry } from './agent-signal.ts'
import { keepEnds } from './agent-signal.ts'
import type { Outcome } from './call-entries.ts'
import { askedQuestions, callEntries } from './call-entries.ts'
import type { Calls } from './codex-calls.ts'
import { callsIn } from './codex-calls.ts'
import { fieldsOf, foundNothing, patchedFiles, readTool, toolLabel } from './codex-tools.ts'
import { COMPACTED, messageWords, promptWords, PROPOSED_PLAN } from './codex-words.ts'
import type { Fields } from '../text/json-fields.ts'
import {
  asFields,
  fieldsIn,
  listIn,
  objectsIn,
  own,
  parseFields,
  parseRecords,
  textIn,
} from '../text/json-fields.ts'
import { messageText, toolUse } from './tool-use.ts'

/** True for the head of a log in which Codex itself asks a model, for example whether a command is safe to approve. */
function isInternal(record: Fields): boolean {
  if (own(record, 'type') !== 'session_meta') return false
  const source = fieldsIn(fieldsIn(record, 'payload'), 'source')
  return textIn(fieldsIn(source, 'subagent'), 'other') !== undefined
}

export function readLines(lines: readonly string[]): TranscriptEntry[] {
  const all = parseRecords(lines)
  if (all.some(isInternal)) return []
  const records = all.map((record) => ({
    type: own(record, 'type'),
    payload: fieldsIn(record, 'payload'),
    at: parseInstant(textIn(record, 'timestamp') ?? '')?.instant,
  }))
  const calls = callsIn(all)
  const failed = new Set(
    records.flatMap(({ payload }) => {
      const isFailed =
        own(payload, 'type') === 'patch_apply_end' && own(payload, 'success') === false
      return isFailed ? (textIn(payload, 'call_id') ?? []) : []
    }),
  )
  // Older releases do not log where a turn starts.
  const hasTurns = records.some(({ payload }) => own(payload, 'type') === 'task_started')
  const entries: TranscriptEntry[] = []
  const lastWords = new Map<string, string>()
  let isReview = false
  let hasPrompt = false
  /** Where the user's messages are: that is what `num_turns` counts. */
  const prompts: number[] = []
  for (const { type, payload, at } of records) {
    if (own(payload, 'type') === 'exited_review_mode') isReview = false
    if (own(payload, 'type') === 'task_started') hasPrompt = false
    if (own(payload, 'type') === 'thread_rolled_back') {
      const count = Number(own(payload, 'num_turns'))
      if (count > 0) takeBack(entries, prompts.splice(-count)[0])
      lastWords.clear()
    }
    if (failed.has(textIn(payload, 'call_id') ?? '')) continue
    for (const entry of recordEntries(type, payload, calls)) {
      // The instructions of a review are the program's words.
      if (isReview && entry.kind === 'prompt') continue
      if (entry.kind === 'prompt' || entry.kind === 'assistant' || entry.kind === 'plan') {
        const text = entry.kind === 'plan' ? entry.plan.text : entry.text
        if (lastWords.get(entry.kind) === text) continue
        if (entry.kind === 'prompt') lastWords.clear()
        else lastWords.delete('prompt')
        lastWords.set(entry.kind, text)
      }
      // A call already has the time of its answer.
      const isTimed =
        entry.kind === 'prompt' ||
        (type === 'event_msg' && (entry.kind === 'tool' || entry.kind === 'interruption'))
      const timed = isTimed ? { ...entry, at } : entry
      const isAddition = timed.kind === 'prompt' && hasPrompt
      if (timed.kind === 'prompt') prompts.push(entries.length)
      entries.push(isAddition ? { ...timed, isAddition } : timed)
      hasPrompt ||= timed.kind === 'prompt' && hasTurns
    }
    isReview ||= own(payload, 'type') === 'entered_review_mode'
  }
  return withPlanOutcomes(entries)
}

/** The user took turns back, to write their prompts anew. If files were changed in them, the turns stay, as the files do. */
function takeBack(entries: TranscriptEntry[], start = entries.length): void {
  const isKept = entries
    .slice(start)
    .some((entry) => entry.kind === 'tool' && entry.tool.files.length > 0)
  if (!isKept) entries.length = start
}

function recordEntries(type: unknown, payload: Fields, calls: Calls): TranscriptEntry[] {
  const about = own(payload, 'type')
  if (type === 'response_item') return itemEntries(about, payload, calls)
  if (type === 'event_msg') return eventEntries(about, payload)
  if (type !== 'compacted') return []
  return [{ kind: 'summary', text: keepEnds(textIn(payload, 'message') ?? '') }]
}

function itemEntries(type: unknown, payload: Fields, calls: Calls): TranscriptEntry[] {
  const id = textIn(payload, 'call_id') ?? ''
  const answer = calls.answers.get(id)
  // The log ends while a command that runs on is waited for.
  const command = answer === undefined ? calls.polled.get(id) : undefined
  if (command !== undefined) return itemEntries(own(command, 'type'), command, calls)
  const name = textIn(payload, 'name')
  switch (type) {
    case 'message':
      return messageEntries(textIn(payload, 'role'), messageText(own(payload, 'content')))
    case 'function_call':
    case 'custom_tool_call':
      if (name === undefined) return []
      return toolEntries(name, own(payload, 'arguments') ?? own(payload, 'input'), answer)
    case 'local_shell_call':
      return toolEntries('local_shell', own(payload, 'action'), answer)
    default:
      return []
  }
}

function toolEntries(name: string, input: unknown, answer: Outcome | undefined): TranscriptEntry[] {
  if (name === 'request_user_input') return questionEntries(fieldsOf(input) ?? {}, answer)
  const tool = readTool(name, input)
  const label = toolLabel(tool, input)
  const outcome = answer ?? { end: 'open', text: '' }
  return foundNothing(tool, outcome)
    ? [{ kind: 'tool', tool, ...label, at: outcome.at }]
    : callEntries(tool, label, outcome)
}

/** Answers are keyed by the question's id; each is a list of what was chosen and what the user added. */
function questionEntries(input: Fields, answer: Outcome | undefined): TranscriptEntry[] {
  const given = fieldsIn(parseFields(answer?.text ?? '') ?? {}, 'answers')
  const answerTo = (question: Fields) => {
    const said = listIn(fieldsIn(given, textIn(question, 'id') ?? ''), 'answers')
    const words = said.filter((one) => typeof one === 'string').map((one) => one.trim())
    return words.length === 0 ? undefined : keepEnds(words.join('; '))
  }
  const questions = askedQuestions(input, answerTo)
  return questions.map((question) => ({ kind: 'question', question, at: answer?.at }))
}

function eventEntries(type: unknown, payload: Fields): TranscriptEntry[] {
  const item = fieldsIn(payload, 'item')
  switch (type) {
    case 'user_message':
      return messageEntries('user', textIn(payload, 'message') ?? '')
    case 'agent_message': {
      const message = textIn(payload, 'message') ?? ''
      return message === COMPACTED ? [] : messageEntries('assistant', message)
    }
    case 'entered_review_mode':
      return wordEntry('prompt', `/review ${textIn(payload, 'user_facing_hint') ?? ''}`.trim())
    case 'exited_review_mode':
      return wordEntry('assistant', reviewWords(fieldsIn(payload, 'review_output')))
    case 'turn_aborted':
      // For any other reason the turn continues as another one.
      return (own(payload, 'reason') ?? 'interrupted') === 'interrupted'
        ? [{ kind: 'interruption' }]
        : []
    case 'error':
      return [{ kind: 'failure', text: keepEnds(textIn(payload, 'message') ?? '') }]
    case 'patch_apply_end':
      return changeEntries(own(payload, 'changes'))
    case 'item_completed': // since 0.149
      if (own(item, 'type') !== 'FileChange' || own(item, 'status') === 'failed') return []
      return changeEntries(own(item, 'changes'))
    default:
      return []
  }
}

/** A review's conclusion, and the titles of its findings. */
function reviewWords(review: Fields): string {
  const found = objectsIn(listIn(review, 'findings')).flatMap((one) => textIn(one, 'title') ?? [])
  const words = [textIn(review, 'overall_explanation') ?? '', ...found.map((one) => `- ${one}`)]
  return keepEnds(words.join('\n')).trim()
}

/** A map by path, or a list of `{path}`. */
function changeEntries(changes: unknown): TranscriptEntry[] {
  const isList = Array.isArray(changes)
  const byPath = Object.entries(isList ? {} : (asFields(changes) ?? {}))
  const files = isList
    ? objectsIn(changes).map((change) => textIn(change, 'path'))
    : byPath.map(([path]) => path)
  const removed = byPath.flatMap(([path, change]) => (isRemoval(change) ? path : []))
  const tool = toolUse('apply_patch', { files, removed, mayWrite: false, todos: undefined })
  return tool.files.length === 0 ? [] : [{ kind: 'tool', tool }]
}

/** `{type: 'delete'}`, or `{delete: …}` in older releases. A move removes the old path, too. */
function isRemoval(change: unknown): boolean {
  const { type, delete: gone, move_path: to } = asFields(change) ?? {}
  return type === 'delete' || gone !== undefined || typeof to === 'string'
}

function messageEntries(role: string | undefined, text: string): TranscriptEntry[] {
  const all = keepEnds(text).trim()
  if (patchedFiles(all).length > 0) return []
  if (role === 'assistant') return [...wordEntry('assistant', messageWords(all)), ...planIn(all)]
  return role === 'user' ? wordEntry('prompt', promptWords(all)) : []
}

function wordEntry(kind: 'prompt' | 'assistant', text: string): TranscriptEntry[] {
  return text === '' ? [] : [{ kind, text }]
}

function planIn(message: string): TranscriptEntry[] {
  const [, text = ''] = PROPOSED_PLAN.exec(message) ?? []
  if (text.trim() === '') return []
  return [{ kind: 'plan', plan: { text: text.trim(), outcome: 'open', said: undefined } }]
}

/** The prompt that the program sends when the user accepts a plan. */
const ACCEPTED = /^Implement the plan\.?$/

/** The prompt after a plan accepts it; any other prompt drops the plan, because it is discussed and proposed again. */
function withPlanOutcomes(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  return entries.flatMap((entry, i): TranscriptEntry[] => {
    if (entry.kind !== 'plan') return [entry]
    const next = entries.slice(i).find(({ kind }) => kind === 'prompt')
    if (next?.kind !== 'prompt') return [entry]
    return ACCEPTED.test(next.text)
      ? [{ ...entry, plan: { ...entry.plan, outcome: 'accepted' } }]
      : []
  })
}
