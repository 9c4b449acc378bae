/** A plan's file as a plan, by its form. Pure. */

import type { Plan } from './plan.ts'
import { readMarkdownPlan } from './read-markdown.ts'
import { readStories } from './stories.ts'

/** Markdown is always a plan, if one of a single unit; undefined for JSON without stories. */
export function readPlan(text: string): Plan | undefined {
  return /^\ufeff?\s*[{[]/.test(text) && isJson(text) ? readStories(text) : readMarkdownPlan(text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''))
    return true
  } catch {
    return false
  }
}
