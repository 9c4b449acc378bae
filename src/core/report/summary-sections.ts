/**
 * What a compaction's summary says is left: `7. Pending Tasks:` with a list below it, and `9. Optional Next
 * Step:`. The summary has numbered titles of its own. Pure.
 */

import { blocksOf, hasWords, sentencesOf } from '../text/markdown-to-text.ts'

const PENDING = /^[ \t]*\d{1,2}\.\s+\**Pending Tasks\**:?\**\s*$/im
const NEXT_STEP = /^[ \t]*\d{1,2}\.\s+\**(?:Optional )?Next Steps?\**:?\**\s*$/im
/** The next title, or the program's words behind the summary. */
const END =
  /^[ \t]*\d{1,2}\.\s+\**[A-Z][\w ]+:?\**\s*$|^If you need specific details from before|^Please continue the conversation/m

export function pendingIn(summary: string): string[] {
  const tasks = blocksOf(sectionOf(summary, PENDING))
    .filter(
      ({ kind, isNested, isTicked }) => kind === 'item' && isNested !== true && isTicked !== true,
    )
    .map(({ text }) => text)
    .filter((text) => hasWords(text) && !/^(?:none|no\b|nothing|n\/a)/i.test(text))
  if (tasks.length > 0) return tasks
  const step = blocksOf(sectionOf(summary, NEXT_STEP)).find(
    ({ kind }) => kind === 'text' || kind === 'item',
  )
  const [first = ''] = sentencesOf(step?.text ?? '')
  return hasWords(first) && !/^(?:none|no\b|nothing|n\/a|all )/i.test(first) ? [first] : []
}

/** Below its title, without the indentation that the whole section has. */
function sectionOf(summary: string, title: RegExp): string {
  const match = title.exec(summary)
  if (match === null) return ''
  const rest = summary.slice(match.index + match[0].length)
  const end = END.exec(rest)
  return rest.slice(0, end?.index).replace(/^ {3}/gm, '')
}
