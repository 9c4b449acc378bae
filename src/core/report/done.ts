/**
 * What was done, by what an agent said: a headline of each turn that changed something, and the lists of the
 * last message. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { countWords, hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { joined, LEADS, newsIn, ofOneList } from './headline.ts'
import { isStep } from './left.ts'
import { partsOf } from './message-parts.ts'
import { isQuestion } from './questions.ts'
import { isRequest, isWork, promptLine } from './request.ts'

export interface Turn {
  readonly prompt: TranscriptEntry & { readonly kind: 'prompt' }
  /** What followed the prompt. */
  readonly entries: readonly TranscriptEntry[]
}

export function turnsOf(entries: readonly TranscriptEntry[]): Turn[] {
  const turns: { prompt: Turn['prompt']; entries: TranscriptEntry[] }[] = []
  for (const entry of entries) {
    if (entry.kind === 'prompt' && hasWords(entry.text)) turns.push({ prompt: entry, entries: [] })
    else turns.at(-1)?.entries.push(entry)
  }
  return turns
}

/** Commands that leave something behind beside files. */
const DEED =
  /\b(?:git (?:commit|push|merge|rebase|revert|tag|cherry-pick)|gh (?:pr|issue|release) (?:create|merge|close|edit|comment)|(?:npm|cargo|twine) publish)\b/

/** Words to the user, proposals and conditions: not about what was done. */
const ASIDE =
  /^(?:(?:(?:now )?(?:run|use|try|type|open|visit|click)|please|waiting|you|from|(?:it|this|that) (?:looks?|seems?|should|will|would)|i(?:['’]d| would| could| can| need| suggest| recommend| propose)|we (?:could|should|can)|to \w+|if|once|when(?:ever)?|should|ready|recommend\w*|suggest\w*|proposed?|option|why|note|no (?:action|further|follow-?ups?))\b|(?:tests?|testing|build|verification|version|next|options?)\b[^.:]{0,20}:|["“(])/i

/** Beside a question many sentences are about what it asks; in English a deed is known by its words. */
function isDeed(sentence: string): boolean {
  return !ENGLISH.test(sentence) || REPORT.test(sentence) || DEED_WORDS.test(sentence)
}

const ENGLISH = /\b(?:the|is|are|and|of|this|it|that|can|which)\b/i
const DEED_WORDS =
  /\b(?:i|we)(?:['’]ve| have)? (?:also |now |just |successfully |had to )*(?:\w+ed|built|made|ran|rewrote|wrote|split|set|found|put|added|fix|created?)\b|\b(?:has|have) been\b|\b(?:is|are) now\b|\b(?:done|complete|fixed|works)\b|\bnow \w+s\b/i

const ASKS = /[?？]|^recommend(?:ed|ation):/i

/** What a message says of deeds; empty where it says nothing of them. Of a list only what reports one. */
function deedsIn(message: string, max: number): string {
  const all = newsIn(message)
  const parts = partsOf(message)
  const asks = parts.some(({ blocks }) => blocks.some(({ text }) => ASKS.test(text)))
  const told = all.filter(
    ({ text }) => !ASIDE.test(text) && !isStep(text) && (!asks || isDeed(text)),
  )
  const prose = told.filter(({ kind, text }) => kind === 'text' && !LEADS.test(text))
  if (prose.length > 0) return joined(prose, max)
  const items = told.filter(({ text, part }) => REPORT.test(text) || REPORT.test(part.title ?? ''))
  return items.length === 0 ? '' : joined(ofOneList(items), max)
}

/** A turn that only read and talked changed nothing. */
export function didSomething(entries: readonly TranscriptEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'tool' &&
      entry.failed === undefined &&
      (entry.tool.files.length > 0 || DEED.test(entry.tool.command ?? entry.ran?.command ?? '')),
  )
}

/** Of a turn that a message ended; where the message tells no deed, what was worked on. */
export function turnHeadline({ prompt, entries }: Turn, max: number): string | undefined {
  const last = entries.findLast((entry) => entry.kind !== 'tool' || entry.label !== undefined)
  if (last?.kind !== 'assistant' || !didSomething(entries)) return undefined
  const headline = deedsIn(last.text, max)
  if (countWords(headline) > 2) return headline
  const line = promptLine(prompt.text, max - WORKED_ON.length)
  const isTold = newsIn(last.text).length === 0 ? isRequest(line) : isWork(line)
  return isTold ? `${WORKED_ON}${line}` : undefined
}

const WORKED_ON = 'worked on: '

/** What begins a report of something done: `Added a flag`. */
const REPORT =
  /^(?:(?:also|now|successfully|then) )*(?:\p{L}{2,}ed|built|made|ran|rewrote|wrote|split|set up|hid)\b/iu
const NO_REPORT =
  /^(?:deferred|skipped|failed|needed|required|blocked|expected|recommended|suggested|proposed|planned|estimated|related|limited|based|hardcoded|deprecated|outdated|duplicated|nested|shared|detailed|mixed|advanced|un\p{L}+ed|need|feed|speed)\b/iu

/** Items of the message's lists that report something done; all of a list whose title says so. */
export function reportedIn(message: string, max: number): string[] {
  return partsOf(message).flatMap(({ kind, blocks }) => {
    if (kind === 'left' || kind === 'asked') return []
    return blocks.flatMap(({ kind: form, text, isNested }) => {
      if (form !== 'item' || isNested === true || isQuestion(text) || NO_REPORT.test(text))
        return []
      const isReport = kind === 'done' || REPORT.test(text)
      return isReport && hasWords(text) ? [itemLine(text, max)] : []
    })
  })
}

/** The first sentence says what it is. */
function itemLine(text: string, max: number): string {
  const [first = text] = sentencesOf(text)
  return shorten(first.replace(/[.:]$/, ''), max)
}
