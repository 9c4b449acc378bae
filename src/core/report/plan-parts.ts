/** The parts of a plan, and the file that holds it. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { blocksOf, shorten } from '../text/markdown-to-text.ts'
import { LABEL } from '../turn/last-calls.ts'
import { changedFiles, PLAN_FILE } from '../turn/changed-files.ts'

/** As many of its parts as fit, by their headings. */
export function planParts(text: string, max: number): string | undefined {
  const [, ...headings] = blocksOf(text).flatMap(({ kind, text: line }) =>
    kind === 'heading' && !ABOUT_PLAN.test(line) ? shorten(line.replace(/:$/, ''), LABEL) : [],
  )
  let told = ''
  for (const one of headings) {
    const longer = told === '' ? one : `${told}, ${one}`
    if (longer.length > max) break
    told = longer
  }
  return told === '' ? undefined : told
}

/** Headings that every plan has. */
const ABOUT_PLAN =
  /^(?:context|overview|summary|background|goals?|approach|verification|testing|test plan|(?:the )?problem|(?:proposed )?solution|(?:files|changes|steps|tasks|implementation)(?: \S+){0,3}|(?:critical|key|modified|affected) files?(?: \S+){0,3}|notes?|risks?|(?:key )?references|out of scope)$/i

/** Claude Code keeps each plan in a file of its own, which is in no repository. */
export function planFileIn(entries: readonly TranscriptEntry[]): string | undefined {
  const files = entries.flatMap(changedFiles)
  return /[^/\\]+[/\\][^/\\]+[/\\][^/\\]+$/.exec(
    files.findLast((file) => PLAN_FILE.test(file)) ?? '',
  )?.[0]
}
