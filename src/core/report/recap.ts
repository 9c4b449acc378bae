/** The recap that the agent's program wrote for a user who was away. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'

/** Undefined if anything followed the recap. */
export function recapOf(entries: readonly TranscriptEntry[]): string | undefined {
  const last = entries.at(-1)
  return last?.kind === 'recap' && hasWords(last.text) && isOfSession(last.text, entries)
    ? shorten(plainLine(last.text), SUMMARY_LIMITS.now)
    : undefined
}

/** Recaps are written by a small model. If none of a recap's names occur in the session, it is about something else. */
function isOfSession(recap: string, entries: readonly TranscriptEntry[]): boolean {
  const words = recap.split(/[\s,;:()“”"'`]+|[.!?](?=\s|$)/)
  const names = words.filter((word) => word.length >= MIN_NAME && NAME.test(word))
  const texts = entries.slice(0, -1).flatMap(textsOf)
  return (
    names.every((name) => ORDINARY.test(name)) ||
    names.some((name) => texts.some((text) => text.includes(name)))
  )
}

function textsOf(entry: TranscriptEntry): readonly string[] {
  switch (entry.kind) {
    case 'tool':
      return [entry.label ?? '', ...entry.tool.files]
    case 'question':
      return [entry.question.text, entry.question.answer ?? '']
    case 'plan':
      return [entry.plan.text]
    default:
      return 'text' in entry ? [entry.text] : []
  }
}

/** Shorter words, such as `3/4`, occur anywhere. */
const MIN_NAME = 4
/** A word that contains an inner capital, digit, or punctuation mark. */
const NAME = /[a-z][A-Z]|[A-Z]{2}|\w[\d_./-]\w/
/** `follow-up`, `120`, `12.5%`: not names. */
const ORDINARY = /^(?:[A-Z]?[a-z]+(?:-[a-z]+)+|[\d.,]+%?)$/
