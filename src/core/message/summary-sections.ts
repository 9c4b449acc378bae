/**
 * What a compaction's summary says is left (`7. Pending Tasks:` with a list, and `9. Optional Next Step:`), and where
 * things stood (`8. Current Work:`). Such a summary has its own numbered titles. Pure.
 */

import { hasWords, sentencesOf, shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { items } from './items.ts'
import { quoteOf } from './quote.ts'

const PENDING = /^[ \t]*(?:#+ )?\d{1,2}\.\s+\**Pending Tasks\**:?\**\s*$/im
const CURRENT = /^[ \t]*(?:#+ )?\d{1,2}\.\s+\**Current Work\**:?\**\s*$/im
const NEXT_STEP = /^[ \t]*(?:#+ )?\d{1,2}\.\s+\**(?:Optional )?Next Steps?\**:?\**\s*$/im
/** The next title, or the program's text after the summary. If titles are headings, list items may look like titles. */
const TITLE = /^[ \t]*\d{1,2}\.\s+\**[A-Z][\w ]+:?\**\s*$/
const HEADING = /^#+ /
const AFTER_SUMMARY = /^If you need specific details from before|^Please continue the conversation/

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

/** The text below `**Current Status**:`, else the current work; followed by what was left. */
export function stateIn(summary: string, max: number): string | undefined {
  const work = sectionOf(summary, CURRENT)
  const status = STATUS.exec(work)
  const state = quoteOf(status === null ? work : work.slice(status.index + status[0].length), max)
  const left = items(pendingIn(summary))
    .join('; ')
    .replaceAll(/([:：]); /g, '$1 ')
  const pending = left === '' ? undefined : `pending: ${left}`
  const parts = [state, pending].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : shorten(parts.join('; '), max)
}

const STATUS = /^\**(?:Current )?(?:Status|State)\**:?\**:?[ \t]*$/im

/** The text below a title, without the indentation of the whole section. */
function sectionOf(summary: string, title: RegExp): string {
  const match = title.exec(summary)
  if (match === null) return ''
  const rest = summary.slice(match.index + match[0].length)
  const next = match[0].includes('#') ? HEADING : TITLE
  const end = new RegExp(`${next.source}|${AFTER_SUMMARY.source}`, 'm').exec(rest)
  return rest.slice(0, end?.index).replace(/^ {3}/gm, '')
}
