/** Extracts the words of the user and the agent from texts to which Codex adds its own. Pure. */

import { withoutTemplate } from './command-template.ts'
import type { Fields } from '../text/json-fields.ts'
import { listIn, objectsIn, parseFields, textIn } from '../text/json-fields.ts'

/** What the program says in the agent's name after a compaction. */
export const COMPACTED = 'Compact task completed'

/** What the program writes in the user's name: instructions, the environment, instruction files. */
const NOT_THE_USER =
  /^(?:<[a-z_]+>|<hook_prompt |# AGENTS\.md instructions|Warning: apply_patch was requested via )/

/** A task that another thread hands over, as a person hands one over. */
const DELEGATION = /^<codex_delegation>[^]*?<input>([^]*?)<\/input>[^]*$/

/** What the app is told to do at the end of a message, one per line. */
const DIRECTIVE = /^::(?:git-[a-z-]+|created-thread)\{.*\}[ \t]*$/gm

/** Stands for a picture in what the model gets, but not in what the person typed. */
const PICTURE = /<image(?: name=\[Image #\d+\][^>\n]*)?>\s*<\/image>/g

/** What an editor extension puts before the request. */
const EDITOR_CONTEXT = /^#{1,3} [^]*?\n## My request for Codex:\s*/

/** The user's words in a message in the user's name; empty if it is the program's. `…` for a command without words. */
export function promptWords(text: string): string {
  const words = text.replace(PICTURE, '').trim().replace(DELEGATION, '$1').trim()
  return words === '' || NOT_THE_USER.test(words) ? '' : userWords(words) || '…'
}

/** The user's words in a text that the user sent. */
export function userWords(text: string): string {
  return withoutTemplate(text.replace(/\r\n?/g, '\n').trim().replace(EDITOR_CONTEXT, '')).trim()
}

export const PROPOSED_PLAN = /<proposed_plan>([^]*?)(?:<\/proposed_plan>|$)/

/** The agent's words in a message: without a proposed plan and what the app is told, and with the findings of a review as text. */
export function messageWords(text: string): string {
  const words = text.replace(PROPOSED_PLAN, '').replace(DIRECTIVE, '').trim()
  const review = words.startsWith('{') ? parseFields(words) : undefined
  return review === undefined ? words : (reviewText(review) ?? words)
}

/** The result of `/review`, which the model returns as JSON, as text. */
function reviewText(review: Fields): string | undefined {
  const explanation = textIn(review, 'overall_explanation')
  if (explanation === undefined) return undefined
  const verdict = textIn(review, 'overall_correctness')
  const titles = objectsIn(listIn(review, 'findings')).flatMap((one) => textIn(one, 'title') ?? [])
  const head = verdict === undefined ? explanation : `Review: ${verdict}. ${explanation}`
  if (titles.length === 0) return head
  return [head, '', 'Next steps:', '', ...titles.map((title) => `- ${title}`)].join('\n')
}
