/** What the agent announced at the end of a turn but did not do. Pure. */

import { sentencesOf } from '../text/markdown-to-text.ts'
import { isCourtesy, isQuestion } from '../message/questions.ts'

/** The announcement that ended the turn: a sentence that ends with a colon, or one such as `Let me …`. */
export function announcedIn(message: string): string | undefined {
  const [said, ...before] = sentencesOf(message.trimEnd().split('\n').at(-1) ?? '').toReversed()
  if (said === undefined || WAITS.test(said) || before.some(isOffer)) return undefined
  return /[:：]$/.test(said) || ANNOUNCES.test(said) ? said : undefined
}

function isOffer(sentence: string): boolean {
  return isQuestion(sentence) || isCourtesy(sentence) || /^if you\b/i.test(sentence)
}

const ANNOUNCES =
  /^(?:[\p{L}]+[,.!:]? ){0,2}(?:let me|let['’]s|i['’]ll|i will|i['’]?m (?:now )?going to|ich werde|lass mich|je vais|laisse[zr]?-moi|voy a|déjame|vou|deixe-me|vado a|сейчас я)\s|^.{0,4}(?:让我|我来|我将|我现在|接下来我)|(?:ていきます|を始めます|しましょう|하겠습니다)[。.!]?$/iu
/** The agent waits for the user or for a condition, so the sentence is not an announcement. */
const WAITS =
  /\b(?:know|wait|here|ready|when|once|after|if|unless|whenever|until|wenn|sobald|quand|si|cuando|quando)\b|以后|之后|如果/iu
