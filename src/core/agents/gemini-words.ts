/** Extracts the user's words from messages in the user's name. Pure. */

import { ASK_OPENING } from './agent-text.ts'
import { withoutTemplate } from './command-template.ts'

/** The program's own prompt after a response was cut off, and ours. */
export const OWN_PROMPT = new RegExp(
  String.raw`^\s*(?:System: Please continue\.?\s*$|${ASK_OPENING})`,
)

/** Commands for the program or a shell, and what the program writes in the user's name. */
const NOT_THE_USER =
  /^(?:[/?!]|<(?:session|hook)_context>|\[Function Response: |Your task is to answer the following question about Gemini CLI:|You have stopped calling tools without finishing\.)/

/** A shell command; a request if the program did not run it but passed it to the model. */
const FOR_SHELL = /^!\s*\w/

/** The user's words; empty if the text is the program's, or a command that the model did not answer. */
export function promptWords(text: string, isAnswered = false): string {
  const words = text.trim()
  if (isAnswered && FOR_SHELL.test(words)) return words
  return NOT_THE_USER.test(words) || OWN_PROMPT.test(words) ? '' : withoutTemplate(words)
}
