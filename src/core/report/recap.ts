/** What the agent's program itself wrote of a session for a user who was away. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { hasWords, plainLine, shorten } from '../text/markdown-to-text.ts'
import { SUMMARY_LIMITS } from '../message/items.ts'

/** Undefined where anything followed it. */
export function recapOf(entries: readonly TranscriptEntry[]): string | undefined {
  const last = entries.at(-1)
  return last?.kind === 'recap' && hasWords(last.text) && isOfSession(last.text, entries)
    ? shorten(plainLine(last.text), SUMMARY_LIMITS.now)
    : undefined
}

/** A small model writes recaps: one whose names all come from elsewhere is about something else. */
function isOfSession(recap: string, entries: readonly TranscriptEntry[]): boolean {
  const words = recap.split(/[\s,;:()“”"'`]+|[.!?](?=\s|$)/)
  const names = words.filter((word) => NAME.test(word))
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

/** A word with a capital, a digit or a mark inside. */
const NAME = /[a-z][A-Z]|[A-Z]{2}|\w[\d_./-]\w/
/** `follow-up`, `120`, `12.5%`: no name of anything. */
const ORDINARY = /^(?:[A-Z]?[a-z]+(?:-[a-z]+)+|[\d.,]+%?)$/
