/** What the user and the agent said, out of texts that Codex puts more into. Pure. */

import { withoutTemplate } from './command-template.ts'
import type { Fields } from '../text/json-fields.ts'
import { listIn, objectsIn, parseFields, textIn } from '../text/json-fields.ts'

/** What the program says in the user's name: instructions, the environment, files of instructions. */
const NOT_THE_USER =
  /^(?:<[a-z_]+>|<hook_prompt |# AGENTS\.md instructions|Warning: apply_patch was requested via )/

/** What an editor puts before the request. */
const EDITOR_CONTEXT = /^#{1,3} [^]*?\n## My request for Codex:\s*/

/** Of a message in the user's name; empty where it is the program's. A command without words begins a turn. */
export function promptWords(text: string): string {
  return text.trim() === '' || NOT_THE_USER.test(text.trim()) ? '' : userWords(text) || '…'
}

/** Of what the user sent. */
export function userWords(text: string): string {
  return withoutTemplate(text.replace(/\r\n?/g, '\n').trim().replace(EDITOR_CONTEXT, '')).trim()
}

export const PROPOSED_PLAN = /<proposed_plan>([^]*?)(?:<\/proposed_plan>|$)/

/** A message without the plan in it, and the findings of a review as text. */
export function messageWords(text: string): string {
  const words = text.replace(PROPOSED_PLAN, '').trim()
  const review = words.startsWith('{') ? parseFields(words) : undefined
  return review === undefined ? words : (reviewText(review) ?? words)
}

/** The verdict of `/review`, which the model gives as JSON. */
function reviewText(review: Fields): string | undefined {
  const explanation = textIn(review, 'overall_explanation')
  if (explanation === undefined) return undefined
  const verdict = textIn(review, 'overall_correctness')
  const titles = objectsIn(listIn(review, 'findings')).flatMap((one) => textIn(one, 'title') ?? [])
  const head = verdict === undefined ? explanation : `Review: ${verdict}. ${explanation}`
  if (titles.length === 0) return head
  return [head, '', 'Next steps:', '', ...titles.map((title) => `- ${title}`)].join('\n')
}
