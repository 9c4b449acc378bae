/**
 * Results of Claude Code's tools: how a call ended, what the user answered, and what became of a plan. Pure.
 *
 * The answer to a refused call is an error: the program's words, followed by the user's.
 */

import type { Instant } from '../event/instant.ts'
import type { Fields } from '../text/json-fields.ts'
import { asFields, fieldsIn, own, textIn } from '../text/json-fields.ts'
import type { AskedQuestion, ProposedPlan, TranscriptEntry } from './agent-signal.ts'
import { keepEnds } from './agent-signal.ts'
import type { Outcome } from './call-entries.ts'
import { askedQuestions } from './call-entries.ts'
import { INTERRUPTED } from './claude-words.ts'

export interface Answer {
  readonly isError: boolean
  /** The tool's result, for the program. */
  readonly value: unknown
  /** The same, for the model. */
  readonly text: string
  readonly at: Instant | undefined
}

export function outcomeOf(input: Fields, answer: Answer | undefined): Outcome {
  if (answer === undefined || INTERRUPTED.test(answer.text)) return { end: 'open', text: '' }
  const { text, at } = answer
  if (REFUSED.test(text) && answer.isError) return { end: 'refused', text, said: wordsOfUser(text) }
  if (answer.isError) return { end: 'failed', text }
  const result = asFields(answer.value) ?? {}
  const isStillRunning =
    own(input, 'run_in_background') === true ||
    own(result, 'interrupted') === true ||
    textIn(result, 'backgroundTaskId') !== undefined
  return { end: 'well', text, at, isStillRunning }
}

/** The report of a subagent that completed. One that was only started has no report yet. */
export function reportOf(name: string, answer: Answer | undefined): { report?: string } {
  const isOver = textIn(asFields(answer?.value) ?? {}, 'status') === 'completed'
  const isReport = isOver && answer?.isError === false && /^(?:Task|Agent)$/.test(name)
  return isReport ? { report: keepEnds(answer.text) } : {}
}

const REFUSED = /^The user doesn't want to (?:proceed with this tool use|take this action)/

/** What the user typed instead of approving. */
function wordsOfUser(refusal: string): string | undefined {
  const [, said = ''] = /\bthe user said:\s*([^]*)/.exec(refusal) ?? []
  // The program's own note follows on a separate line.
  const words = said.replace(/\n[ \t]*Note: [^]*/, '').trim()
  return words === '' ? undefined : keepEnds(words)
}

/** The program's words if the user wants to discuss the questions first: they stay open. */
const ASKS_BACK = /^The user wants to clarify these questions\b/

/** Answers are in `answers`, by question; older releases have them only in the sentence for the model. */
export function questionEntries(input: Fields, answer: Answer | undefined): TranscriptEntry[] {
  const given = fieldsIn(asFields(answer?.value) ?? {}, 'answers')
  const words = answer?.isError === true ? wordsOfUser(answer.text) : undefined
  const said = words !== undefined && ASKS_BACK.test(words) ? undefined : words
  const all = askedQuestions(input, () => undefined).map(({ text }) => text)
  const answerTo = (_: Fields, text: string) =>
    textIn(given, text) ?? said ?? (answer && answerInSentence(answer, text, all))
  return askedQuestions(input, answerTo).map((question: AskedQuestion) => ({
    kind: 'question',
    question,
    at: answer?.at,
  }))
}

/**
 * `User has answered your questions: "Which one?"="The first", "Why?"="It is "new"". You can now …`. Quotation marks in
 * an answer are not escaped: it ends where the program goes on.
 */
function answerInSentence(
  { text, isError }: Answer,
  question: string,
  all: readonly string[],
): string | undefined {
  const start = text.indexOf(`"${question}"="`)
  if (isError || start === -1) return undefined
  const rest = text.slice(start + question.length + 4)
  const ends = [...all.map((one) => `", "${one}"="`), '" user notes: ', '" selected preview:']
    .map((end) => rest.indexOf(end))
    .filter((at) => at !== -1)
  const end = ends.length === 0 ? rest.lastIndexOf('"') : Math.min(...ends)
  return end === -1 ? undefined : rest.slice(0, end)
}

export function planEntries(input: Fields, answer: Answer | undefined): TranscriptEntry[] {
  const text = textIn(input, 'plan') ?? textIn(asFields(answer?.value) ?? {}, 'plan') ?? ''
  const isRefused = answer?.isError === true
  if (isRefused && !REFUSED.test(answer.text)) return []
  const outcome: ProposedPlan['outcome'] =
    answer === undefined ? 'open' : isRefused ? 'refused' : 'accepted'
  const said = isRefused ? wordsOfUser(answer.text) : undefined
  return [{ kind: 'plan', plan: { text: keepEnds(text), outcome, said }, at: answer?.at }]
}
