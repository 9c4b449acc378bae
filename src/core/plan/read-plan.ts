/** Reads a plan in any supported file format. Pure. */

import { parseJson } from '../text/json-values.ts'
import type { Plan } from './plan.ts'
import { readMarkdownPlan } from './read-markdown.ts'
import { readStories } from './stories.ts'

/** Markdown is always a plan, if only of a single unit. Undefined for JSON without stories. */
export function readPlan(text: string): Plan | undefined {
  return /^\ufeff?\s*[{[]/.test(text) && parseJson(text.replace(/^\ufeff/, '')) !== undefined
    ? readStories(text)
    : readMarkdownPlan(text)
}
