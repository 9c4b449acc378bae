/** Prompts that are plans, such as another session made, and plan titles. Pure. */

import { blocksOf } from '../text/message-blocks.ts'

const PLAN_FOLLOWS =
  /^(?:please )?(?:implement|execute|carry out) (?:the following|this) plan\b[:.]?\s*/i

export function isPlan(prompt: string): boolean {
  // The path of a plan file is not a plan.
  if (/^\S+$/.test(planIn(prompt).trim())) return false
  return PLAN_FOLLOWS.test(prompt) || /^#+ (?:\w+ )?plan\b/i.test(prompt)
}

/** The plan without the words that ask for it. */
export function planIn(prompt: string): string {
  return prompt.replace(PLAN_FOLLOWS, '')
}

/** A plan's first heading or line, without the word `Plan`. */
export function planTitle(text: string): string {
  const blocks = blocksOf(text)
  const title = (blocks.find(({ kind }) => kind === 'heading') ?? blocks[0])?.text ?? ''
  return title.replace(/^(?:the )?(?:implementation )?plan\s*(?:[:–—-]\s*|for:?\s+)/i, '')
}
