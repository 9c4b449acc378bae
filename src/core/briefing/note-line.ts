/** A text that somebody else left, as one line for a model: it opens and closes nothing. */

import { oneLine } from '../text/escape-markdown.ts'
import { foldLine } from '../text/markdown-to-text.ts'

/** Tags that agents' programs use for themselves have a `-` or `_` in them, a role's name or a bar. */
const TAG =
  /<(?=\s*[/!]?\s*(?:[a-z]+[-_:][\w:-]*|system|user|assistant|human|developer|tool|function|invoke|instructions?)\b|\|)/gi

/** `file`: where the rest of a very long text is found. */
export function noteLine(text: string, file: string): string {
  return foldLine(oneLine(text, file)).replace(TAG, '‹')
}
