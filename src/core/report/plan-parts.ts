/** The parts of a plan, and the file that holds it. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { shorten } from '../text/markdown-to-text.ts'
import { blocksOf } from '../text/message-blocks.ts'
import { LABEL } from '../turn/last-calls.ts'
import { changedFiles, PLAN_FILE } from '../turn/changed-files.ts'

/** As many of the plan's parts as fit, named by their headings. */
export function planParts(text: string, max: number): string | undefined {
  const [, ...headings] = blocksOf(text).flatMap(({ kind, text: line }) =>
    kind === 'heading' && !GENERIC_HEADING.test(line) ? shorten(line.replace(/:$/, ''), LABEL) : [],
  )
  let parts = ''
  for (const one of headings) {
    const longer = parts === '' ? one : `${parts}, ${one}`
    if (longer.length > max) break
    parts = longer
  }
  return parts === '' ? undefined : parts
}

/** Headings that every plan has. */
const GENERIC_HEADING =
  /^(?:context|overview|summary|background|goals?|approach|verification|testing|test plan|(?:the )?problem|(?:proposed )?solution|(?:files|changes|steps|tasks|implementation)(?: \S+){0,3}|(?:critical|key|modified|affected) files?(?: \S+){0,3}|notes?|risks?|(?:key )?references|out of scope)$/i

/** Claude Code keeps each plan in a separate file outside the repository. */
export function planFileIn(entries: readonly TranscriptEntry[]): string | undefined {
  const files = entries.flatMap(changedFiles)
  return /[^/\\]+[/\\][^/\\]+[/\\][^/\\]+$/.exec(
    files.findLast((file) => PLAN_FILE.test(file)) ?? '',
  )?.[0]
}
