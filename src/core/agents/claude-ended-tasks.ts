/** Background tasks of Claude Code that ended after the agent's last words, so that it says nothing about them. Pure. */

import type { TranscriptEntry } from './agent-signal.ts'
import { keepEnds } from './agent-signal.ts'
import { OWN_PROMPT } from './claude-words.ts'
import type { Fields } from '../text/json-fields.ts'
import { fieldsIn, listIn, objectsIn, own, parseFields, textIn } from '../text/json-fields.ts'
import { messageText } from './tool-use.ts'

/**
 * A notice is queued first, and repeated when the agent gets it, which may be after its next words. `last`: the place of
 * the agent's last words; `prompt`: that of the last prompt. A command from before that prompt that failed was probably
 * stopped with the program.
 */
export function endedEntries(
  records: readonly Fields[],
  { last, prompt }: { last: number; prompt: number },
): TranscriptEntry[] {
  const since = textIn(records[last] ?? {}, 'timestamp')
  const notices = new Map<string, number>()
  for (const [i, record] of records.entries()) {
    const notice = noticeIn(record).trim()
    if (endedTask(notice) !== '' && !notices.has(notice)) notices.set(notice, i)
  }
  return [...notices].flatMap(([notice, i]) => {
    const at = textIn(records[i] ?? {}, 'timestamp')
    const isLater = at === undefined || since === undefined ? i > last : at > since
    const isOld =
      FAILED.test(notice) && isStartedBefore(records.slice(0, Math.max(prompt, 0)), notice)
    if (!isLater || isOld) return []
    return [{ kind: 'ended', text: endedTask(notice), report: endedResult(notice) }]
  })
}

function noticeIn(record: Fields): string {
  switch (own(record, 'type')) {
    case 'user':
      return messageText(own(fieldsIn(record, 'message'), 'content'))
    case 'attachment':
      return messageText(own(fieldsIn(record, 'attachment'), 'prompt'))
    case 'queue-operation':
      return own(record, 'operation') === 'enqueue' ? (textIn(record, 'content') ?? '') : ''
    default:
      return ''
  }
}

function isStartedBefore(records: readonly Fields[], notice: string): boolean {
  const [, call] = CALL.exec(notice) ?? []
  return (
    call !== undefined &&
    records.some((record) =>
      objectsIn(listIn(fieldsIn(record, 'message'), 'content')).some(
        (block) => own(block, 'id') === call,
      ),
    )
  )
}

const FAILED = /<status>(?:failed|killed)<\/status>/
const CALL = /<tool-use-id>([^<]+)<\/tool-use-id>/

/** `Background command "npm test" completed (exit code 0)`; empty if the text reports nothing of that kind. */
function endedTask(text: string): string {
  const [, summary = ''] = OWN_PROMPT.test(text) ? (SUMMARY.exec(text) ?? []) : []
  return unescaped(summary).trim()
}

/** What the task itself reports at its end: a completed task may say that a part of it failed. */
function endedResult(text: string): string {
  const [, result = ''] = RESULT.exec(text) ?? []
  const report = unescaped(result).trim()
  // Data may be cut, and is then no JSON any more.
  return /^[{[]/.test(report) ? unquoted(JSON_SUMMARY.exec(report)?.[0]) : keepEnds(report)
}

function unquoted(member: string | undefined): string {
  return textIn(parseFields(`{${member ?? ''}}`) ?? {}, 'summary') ?? ''
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

const SUMMARY = /<summary>([^<]*)<\/summary>/
const RESULT = /<result>([^]*?)<\/result>/
const JSON_SUMMARY = /"summary":\s*"(?:[^"\\]|\\.)*"/
