/** What the user said, out of the messages in the user's name. Pure. */

import { ASK_OPENING } from './agent-text.ts'
import { withoutTemplate } from './command-template.ts'

/** The program's own, when a response of the model broke off; and ours. */
export const OWN_PROMPT = new RegExp(
  String.raw`^\s*(?:System: Please continue\.?\s*$|${ASK_OPENING})`,
)

/** Commands of the program and of a shell, and what the program says in the user's name. */
const NOT_THE_USER =
  /^(?:[/?!]|<(?:session|hook)_context>|\[Function Response: |Your task is to answer the following question about Gemini CLI:|You have stopped calling tools without finishing\.)/

/** A command for the shell that the program did not run itself: the model was asked to. */
const FOR_SHELL = /^!\s*\w/

/** Empty where the text is the program's, or a command for it that no model answered. */
export function promptWords(text: string, isAnswered = false): string {
  const words = text.trim()
  if (isAnswered && FOR_SHELL.test(words)) return words
  return NOT_THE_USER.test(words) || OWN_PROMPT.test(words) ? '' : withoutTemplate(words)
}
