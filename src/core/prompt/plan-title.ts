/** A prompt that is a plan, as another session made it, and what that is called. Pure. */

import { blocksOf } from '../text/markdown-to-text.ts'

const PLAN_FOLLOWS =
  /^(?:please )?(?:implement|execute|carry out) (?:the following|this) plan\b[:.]?\s*/i

export function isPlan(prompt: string): boolean {
  // A file to be read is no plan.
  if (/^\S+$/.test(planIn(prompt).trim())) return false
  return PLAN_FOLLOWS.test(prompt) || /^#+ (?:\w+ )?plan\b/i.test(prompt)
}

/** Without the words that ask for it. */
export function planIn(prompt: string): string {
  return prompt.replace(PLAN_FOLLOWS, '')
}

/** A plan's first heading or line, without the word `Plan`. */
export function planTitle(text: string): string {
  const blocks = blocksOf(text)
  const title = (blocks.find(({ kind }) => kind === 'heading') ?? blocks[0])?.text ?? ''
  return title.replace(/^(?:the )?(?:implementation )?plan\s*(?:[:–—-]\s*|for:?\s+)/i, '')
}
