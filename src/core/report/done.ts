/**
 * What was done, by what an agent said: a headline of each turn that changed something, and the lists of the
 * last message. Pure.
 */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { shortHeadlineOf } from './headline.ts'
import { partsOf } from './message-parts.ts'
import { isQuestion } from './questions.ts'
import { promptLine } from './request.ts'

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

/** Words to the user, not about what was done. */
const TELLS_USER =
  /^(?:run|use|try|type|open|visit|click|please|you (?:can|need|should|have)|to \w+)\b/i

/** A turn that only read and talked changed nothing. */
export function didSomething(entries: readonly TranscriptEntry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'tool' &&
      entry.failed === undefined &&
      (entry.tool.files.length > 0 || DEED.test(entry.tool.command ?? entry.ran?.command ?? '')),
  )
}

/** Of a turn that a message ended; the prompt, where the message says no more than that it is done. */
export function turnHeadline({ prompt, entries }: Turn, max: number): string | undefined {
  const last = entries.findLast((entry) => entry.kind !== 'tool' || entry.label !== undefined)
  if (last?.kind !== 'assistant' || !didSomething(entries)) return undefined
  const headline = shortHeadlineOf(last.text, max)
  if (headline !== undefined && /\s\S+\s/.test(headline) && !isQuestion(headline)) {
    return TELLS_USER.test(headline) ? undefined : headline
  }
  const line = promptLine(prompt.text, max)
  return hasWords(line) ? line : headline
}

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
