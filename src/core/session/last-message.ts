/**
 * What an agent's last message tells the next agent: where things stand, what it asked, what is left.
 *
 * These are rules about form (fences, lists, question marks), with a few English words where form does
 * not tell; a message in another language loses little.
 */

import type { Block } from './plain-text.ts'
import { blocksOf, sentencesOf, shorten } from './plain-text.ts'

/** Announcing an action is not a state: `Let me run the tests:` becomes `run the tests`. */
const INTENT =
  /^(?:(?:now|okay|ok|great|good|perfect|excellent|first|next|then|so)[,.!:]?\s+)*(?:let me|let us|let’s|let's|i'll|i’ll|i will|i'm going to)\s+(?:now\s+|also\s+|first\s+)?(?=\S)/i

/** The gist: the first sentences that are no question; undefined when the message says nothing else. */
export function headlineOf(message: string, max: number): string | undefined {
  const blocks = blocksOf(message)
  const at = ['text', 'item', 'heading', 'table', 'code'] as const
  const start = at
    .map((kind) => blocks.findIndex((block) => block.kind === kind && statement(block) !== ''))
    .find((index) => index !== -1)
  const first = start === undefined ? undefined : blocks[start]
  if (first === undefined || start === undefined) return undefined
  const said = statement(first).replace(INTENT, '')
  // `Here is the message:` says little without what follows it.
  const follows = said.endsWith(':') ? blocks[start + 1]?.text : undefined
  return shorten(follows === undefined ? said.replace(/:$/, '') : `${said} ${follows}`, max)
}

/** A block without its questions. Code and tables have none. */
function statement({ kind, text }: Block): string {
  if (kind === 'code' || kind === 'table') return text.replace(/^\|\s*|\s*\|$/g, '')
  return sentencesOf(text)
    .filter((sentence) => !isQuestion(sentence))
    .join(' ')
}

function isQuestion(sentence: string): boolean {
  return /[?？][)"'”’*`]*$/.test(sentence)
}

/** Courtesies at the end of a message that leave nothing open. */
const COURTESY =
  /\b(?:anything else|(?:can|may|could) i (?:help|assist)|would you like (?:me )?to (?:do|work on) (?:next|now)|what(?:'s| is) next|what would you like)\b/i

/** A question this short is about the sentence before it. */
const SHORT = 40

/** The sentences that ask the user something, oldest first. */
export function questionsIn(message: string, max: number): string[] {
  const texts = blocksOf(message).filter(({ kind }) => kind === 'text' || kind === 'item')
  return texts.flatMap(({ text }) => {
    const sentences = sentencesOf(text)
    return sentences.flatMap((sentence, i) => {
      if (!isQuestion(sentence) || COURTESY.test(sentence) || sentence.length < 6) return []
      const before = sentence.length < SHORT ? (sentences[i - 1] ?? '') : ''
      const whole = before === '' || isQuestion(before) ? sentence : `${before} ${sentence}`
      return [whole.length <= max ? whole : shorten(sentence, max)]
    })
  })
}

const WHAT_IS_LEFT =
  /^(?:(?:suggested |possible |recommended |remaining )?next steps?|remaining(?: work| tasks| items)?|to[ -]?dos?|still (?:to do|open|missing)|what(?:'s| is) left|not (?:yet )?done|follow[ -]?ups?)\b[^.?!]{0,40}:?$/i

/** The list below a line such as `Next steps:`. */
export function nextStepsIn(message: string): string[] {
  const blocks = blocksOf(message)
  const start = blocks.findLastIndex(
    ({ kind, text }) => (kind === 'text' || kind === 'heading') && WHAT_IS_LEFT.test(text),
  )
  if (start === -1) return []
  const after = blocks.slice(start + 1)
  const end = after.findIndex(({ kind }) => kind !== 'item' && kind !== 'code')
  return (end === -1 ? after : after.slice(0, end))
    .filter(({ kind }) => kind === 'item')
    .map(({ text }) => text)
}
