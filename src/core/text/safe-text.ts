/** Text of events, files, and people as one line for a terminal, a page, or a message. */

import { oneLine } from './escape-markdown.ts'

/** No line breaks, control or direction characters; at most `width` characters. */
export function safeText(value: string, width = 200): string {
  const line = oneLine(value, '')
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}
