/** What a prompt is to one who reads it later: a task of its own, an answer, or talk. Pure. */

import { countWords, sentencesOf } from '../text/markdown-to-text.ts'
import { CHORE, COMMAND, isTaskLine, kindOf, LOOKS, SHELL, WORK } from './request-kind.ts'
import { promptLine } from './request-line.ts'

/** `hi`, `history`, `echo "test"`, a program that has its own log summed up: nothing that anybody has to know. */
export function isTalk(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  return countWords(line) < 2 || SHELL.test(line) || SUMS_UP.test(line)
}

const SUMS_UP =
  /\b(?:summary|title|name) (?:of|for) (?:this|the following) (?:conversation|session|chat|transcript)\b/i

/** It asks for other work than what was said before; not to look at something. */
export function asksAnew(prompt: string): boolean {
  return isTask(prompt) && !continues(prompt) && !LOOKS.test(promptLine(prompt, MAX_PROMPT))
}

const MAX_PROMPT = 300

/** An answer such as `yes`, `2` or `go on`, or noise: what it is about stands before it. */
export function isAnswer(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  if (COMMAND.test(line)) return false
  return (
    (countWords(line) < (WORK.test(line) ? 2 : 3) && (!CHORE.test(line) || GO_ON.test(line))) ||
    YES.test(line)
  )
}

const GO_ON = /^(?:continue|go|proceed|do|ship|next|yes|no|nope|good|nice|looks|lgtm|thank|done)\b/i

const YES = /^(?:お願いします|はい|同意|好的?|可以|네|좋아|oui|ja|sí)[。.!！]?$/i

/** It goes on with what was said before. */
export function continues(prompt: string): boolean {
  const line = promptLine(prompt, MAX_PROMPT)
  const [start = line] = sentencesOf(line)
  const isAbout = AGREES.test(prompt) || AGREES.test(line) || SAID_BEFORE.test(start)
  return isAbout || isAnswer(prompt) || kindOf(line) === 'nothing'
}

/** `go ahead and …`, `implement it`. */
const AGREES =
  /^\s*(?:(?:yes|yeah|yep|sure|continue|resume|proceed|carry on|keep going|go (?:on|ahead))\b(?:\W+[\w'’]+){0,8}\W*$|\w+ (?:it|this|that|them|these|those)(?:,? (?:now|then|too|please))*\s*[.!]?\s*$)/i
const SAID_BEFORE =
  /\b(?:(?:the|this|that|your) (?:plan|proposal|suggestion|to-?dos)|(?:your|(?:on|from|of) the) list|(?:remaining|next) (?:to-?dos?|tasks?|items?|steps?|points?)|the (?:rest|remaining))\b/i

/** It says what is to be done to one who does not know what was said before: a few words do not. */
export function isTask(prompt: string): boolean {
  return isTaskLine(promptLine(prompt, MAX_PROMPT))
}
