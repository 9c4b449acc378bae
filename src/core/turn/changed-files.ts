/** The files that calls changed, and how a line names them. Pure. */

import type { TranscriptEntry } from '../agents/agent-signal.ts'
import { foldLine } from '../text/markdown-to-text.ts'

/** A call without an answer does not count: it may have waited for a permission that never came. */
export function changedFiles(entry: TranscriptEntry): readonly string[] {
  return entry.kind === 'tool' && entry.isOpen !== true ? entry.tool.files : []
}

const MAX_NAMES = 3
/** Claude Code keeps each plan in a separate file. */
export const PLAN_FILE = /[/\\]\.claude[/\\]plans[/\\]/

/** Names of the files that a turn changed, except the program's plans. */
export function fileNames(entries: readonly TranscriptEntry[]): string | undefined {
  return namesOf(entries.flatMap(changedFiles))
}

export function withoutFolder(file: string): string {
  return file.replace(/^.*[/\\]/s, '')
}

/** `a.ts, b.ts and 3 more files`, without folders. */
export function namesOf(files: readonly string[]): string | undefined {
  const own = files.filter((file) => !PLAN_FILE.test(file))
  const names = [...new Set(own.map((file) => foldLine(withoutFolder(file))))]
  if (names.length === 0) return undefined
  const more = names.length - MAX_NAMES
  const others = more > 0 ? ` and ${more} more ${more === 1 ? 'file' : 'files'}` : ''
  return `${names.slice(0, MAX_NAMES).join(', ')}${others}`
}
