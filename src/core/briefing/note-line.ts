/** A text from somebody else as one line for a model, in which it can neither open nor close a tag. */

import { oneLine } from '../text/escape-markdown.ts'
import { foldLine } from '../text/markdown-to-text.ts'

/** Tags that agents' programs use for themselves contain `-` or `_`, a role's name or a bar. */
const TAG =
  /<(?=\s*[/!]?\s*(?:[a-z]+[-_:][\w:-]*|system|user|assistant|human|developer|tool|function|invoke|instructions?)\b|\|)/gi

/** `file`: the event file to name as the place of the rest, if the text is too long. */
export function noteLine(text: string, file: string): string {
  return foldLine(oneLine(text, file)).replace(TAG, '‹')
}
