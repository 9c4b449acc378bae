/**
 * Transcripts of Claude Code.
 *
 * A transcript has one JSON record per line. A response spans several lines, one per content block, which share
 * a `message.id`. A resumed session may repeat records of the earlier one. `isSidechain` marks a subagent's
 * records: their tools count, their words do not. Records with `isMeta` and texts in the program's own tags
 * are not the user's. A turn that the user stopped ends with a line in the user's name.
 */

import type { Instant } from '../event/instant.ts'
import { parseInstant } from '../event/instant.ts'
import type { TranscriptEntry } from './agent-signal.ts'
import { keepEnds, titleEntry } from './agent-signal.ts'
import { callEntries } from './call-entries.ts'
import type { Answer } from './claude-answers.ts'
import { outcomeOf, planEntries, questionEntries, reportOf } from './claude-answers.ts'
import { endedEntries } from './claude-ended-tasks.ts'
import { readTool, toolLabel } from './claude-tools.ts'
import {
  agentWords,
  INTERRUPTED,
  isCommand,
  isCommandOutput,
  isSummary,
  TEAM_LEAD,
  wordsOf,
} from './claude-words.ts'
import type { Fields } from '../text/json-fields.ts'
import {
  asFields,
  fieldsIn,
  listIn,
  objectsIn,
  own,
  parseRecords,
  textIn,
} from '../text/json-fields.ts'
import { messageText } from './tool-use.ts'

export function readLines(lines: readonly string[]): TranscriptEntry[] {
  // Repeated records count once.
  const byId = new Map(parseRecords(lines).map((one, i) => [textIn(one, 'uuid') ?? i, one]))
  const records = [...byId.values()]
  const results = toolResults(records)
  const entries: TranscriptEntry[] = [
    ...titleEntries(records),
    ...endedEntries(records, placesIn(records)),
  ]
  let response: string | undefined
  let isOver = false
  for (const [i, record] of records.entries()) {
    // The program ran this command itself and sent nothing to the model.
    if (isCommand(textOf(record)) && isCommandOutput(textOf(records[i + 1]))) continue
    const id = textIn(fieldsIn(record, 'message'), 'id')
    for (const entry of recordEntries(record, results)) {
      if ((entry.kind === 'interruption' || entry.kind === 'failure') && isOver) {
        entries.push({ ...entry, isAfterEnd: true })
        continue
      }
      const last = entries.at(-1)
      const isContinued = id !== undefined && id === response && hasText(record)
      if (
        entry.kind === 'assistant' &&
        last?.kind === 'assistant' &&
        (isContinued || isAddition(entry.text, last.text))
      ) {
        entries[entries.length - 1] = { ...last, text: keepEnds(`${last.text}\n\n${entry.text}`) }
      } else entries.push(entry)
    }
    response = id ?? response
    const isOwn = id !== undefined && !isByOthers(record)
    if (isOwn) isOver = own(fieldsIn(record, 'message'), 'stop_reason') === 'end_turn'
    else if (entries.at(-1)?.kind === 'prompt') isOver = false
  }
  return entries.some(({ kind }) => kind === 'prompt')
    ? entries
    : [...lastPrompt(records), ...entries]
}

/**
 * True for a few words after a report, with no call between them: a background task ended, or the report was a
 * message to the lead of a team. Together they are what the agent says at the end of its turn.
 */
function isAddition(words: string, report: string): boolean {
  return report.length >= Math.max(MIN_REPORT, words.length / 2)
}

/** UTF-16 units. */
const MIN_REPORT = 200

/** By a subagent, or an error message by the program. */
function isByOthers(record: Fields): boolean {
  return own(record, 'isSidechain') === true || own(record, 'isApiErrorMessage') === true
}

/** False for a call: a message to the lead of a team is a report of its own. */
function hasText(record: Fields): boolean {
  return contentOf(record).some((block) => own(block, 'type') === 'text')
}

/** The text of a record in the user's name; empty for all other records. */
function textOf(record: Fields | undefined): string {
  if (record === undefined || own(record, 'type') !== 'user') return ''
  return messageText(own(fieldsIn(record, 'message'), 'content'))
}

/** In a very long turn the end of the log may lack the prompt, but the program repeats it in `last-prompt` records. */
function lastPrompt(records: readonly Fields[]): TranscriptEntry[] {
  const record = records.findLast((one) => own(one, 'type') === 'last-prompt')
  const text = wordsOf(textIn(record ?? {}, 'lastPrompt') ?? '')
  return record === undefined ? [] : promptEntries(text, record)
}

/** The program writes the title repeatedly; the last one counts. */
function titleEntries(records: readonly Fields[]): TranscriptEntry[] {
  const text = textIn(records.findLast((one) => own(one, 'type') === 'ai-title') ?? {}, 'aiTitle')
  return titleEntry(text === 'New coding session' ? undefined : text)
}

function placesIn(records: readonly Fields[]): { last: number; prompt: number } {
  const said = (one: Fields) => own(one, 'type') === 'assistant' && hasText(one)
  return {
    last: records.findLastIndex((one) => said(one) && !isByOthers(one)),
    prompt: records.findLastIndex((one) => wordsOf(textOf(one)) !== ''),
  }
}

type ToolResults = ReadonlyMap<string, Answer>

/** Answers by the id of their call. */
function toolResults(records: readonly Fields[]): ToolResults {
  return new Map(
    records.flatMap((record) =>
      contentOf(record).flatMap((block) => {
        const id = own(block, 'type') === 'tool_result' ? textIn(block, 'tool_use_id') : undefined
        const value = asFields(own(record, 'toolUseResult')) ?? own(block, 'content')
        const text = messageText(own(block, 'content'))
        if (id === undefined) return []
        return [[id, { isError: own(block, 'is_error') === true, value, text, at: timeOf(record) }]]
      }),
    ),
  )
}

function contentOf(record: Fields): Fields[] {
  return objectsIn(listIn(fieldsIn(record, 'message'), 'content'))
}

function recordEntries(record: Fields, results: ToolResults): TranscriptEntry[] {
  const type = own(record, 'type')
  if (type === 'user') return userEntries(record)
  if (type === 'attachment') return attachmentEntries(record)
  if (type === 'system') return systemEntries(record)
  if (type !== 'assistant') return []
  const isSidechain = own(record, 'isSidechain') === true
  if (own(record, 'isApiErrorMessage') === true) {
    const text = messageText(own(fieldsIn(record, 'message'), 'content'))
    return isSidechain ? [] : [{ kind: 'failure', text: keepEnds(text) }]
  }
  // Placeholders that the program writes in the agent's name.
  if (own(fieldsIn(record, 'message'), 'model') === '<synthetic>') return []
  return contentOf(record).flatMap((block) => blockEntries(block, isSidechain, results))
}

/** Only text blocks count: the results of tools are not the user's words. */
function userEntries(record: Fields): TranscriptEntry[] {
  if (own(record, 'isMeta') === true || own(record, 'isSidechain') === true) return []
  const text = messageText(
    own(fieldsIn(record, 'message'), 'content'),
    (type) => type === undefined || type === 'text',
  )
  if (own(record, 'isCompactSummary') === true || isSummary(text)) {
    return [{ kind: 'summary', text: keepEnds(text) }]
  }
  if (INTERRUPTED.test(text.trim())) return [{ kind: 'interruption', at: timeOf(record) }]
  return promptEntries(wordsOf(text), record)
}

function promptEntries(text: string, record: Fields): (TranscriptEntry & { kind: 'prompt' })[] {
  return text === '' ? [] : [{ kind: 'prompt', text, at: timeOf(record) }]
}

function timeOf(record: Fields): Instant | undefined {
  return parseInstant(textIn(record, 'timestamp') ?? '')?.instant
}

/** What the user typed while the agent was working, if it was passed on before the turn ended. */
function attachmentEntries(record: Fields): TranscriptEntry[] {
  const attachment = fieldsIn(record, 'attachment')
  const isPrompt =
    own(attachment, 'type') === 'queued_command' && own(attachment, 'commandMode') === 'prompt'
  const prompts = isPrompt
    ? promptEntries(wordsOf(messageText(own(attachment, 'prompt'))), record)
    : []
  return prompts.map((entry) => ({ ...entry, isAddition: true }))
}

/** The program writes a recap for a user who was away. */
function systemEntries(record: Fields): TranscriptEntry[] {
  if (own(record, 'subtype') !== 'away_summary') return []
  const text = (textIn(record, 'content') ?? '')
    .replace(/\s*\(disable recaps[^()]*\)\s*$/, '')
    .trim()
  return text === '' ? [] : [{ kind: 'recap', text: keepEnds(text) }]
}

function blockEntries(
  block: Fields,
  isSidechain: boolean,
  results: ToolResults,
): TranscriptEntry[] {
  if (own(block, 'type') !== 'tool_use') {
    const text = own(block, 'type') === 'text' && !isSidechain ? textIn(block, 'text') : undefined
    const isNone = text === undefined || text.trim() === NO_CONTENT
    return isNone ? [] : [{ kind: 'assistant', text: keepEnds(agentWords(text)) }]
  }
  const name = textIn(block, 'name')
  return name === undefined ? [] : toolEntries(name, block, isSidechain, results)
}

function toolEntries(
  name: string,
  block: Fields,
  isSidechain: boolean,
  results: ToolResults,
): TranscriptEntry[] {
  const input = fieldsIn(block, 'input')
  const answer = results.get(textIn(block, 'id') ?? '')
  const tool = readTool(name, input, answer?.value)
  if (isSidechain) {
    return answer?.isError ? [] : [{ kind: 'tool', tool: { ...tool, todos: undefined } }]
  }
  const report = name === 'SendMessage' && !answer?.isError ? reportToLead(input) : undefined
  if (report !== undefined) return [{ kind: 'assistant', text: keepEnds(report.trim()) }]
  if (name === 'AskUserQuestion') return questionEntries(input, answer)
  if (name === 'ExitPlanMode') return planEntries(input, answer)
  const ofSubagent = reportOf(name, answer)
  return callEntries(tool, toolLabel(name, input), outcomeOf(input, answer)).map((entry) =>
    entry.kind === 'tool' ? { ...entry, ...ofSubagent } : entry,
  )
}

/** What a member of a team writes to its lead. Newer releases use other field names. */
function reportToLead(input: Fields): string | undefined {
  const to = textIn(input, 'recipient') ?? textIn(input, 'to')
  return to === TEAM_LEAD ? (textIn(input, 'message') ?? textIn(input, 'content')) : undefined
}

/** What the program writes for a message without words. */
const NO_CONTENT = '(no content)'
