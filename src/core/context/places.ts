/** Where documents of context checkpoints lie, and what they are called. */

import { createHash } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'

/** How full the context is, for scripts that read that file. From the top of the worktree. */
export const STATE_FILE = '.claude/checkpoint-state.json'

/** `2026-01-07-1145-3f2a.md`: local time, and the text's own hash, so that equal names are equal texts. */
export function contextHandoffName(
  { date, time }: { readonly date: string; readonly time: string },
  text: string,
): string {
  return `${date}-${time.replace(':', '')}-${hashOf(text)}.md`
}

/** True for a document that is as it was written: its name says what it holds. */
export function isOwnHandoff(name: string, bytes: Uint8Array): boolean {
  return /^\d{4}-\d\d-\d\d-\d{4}-([0-9a-f]{4})\.md$/.exec(name)?.[1] === hashOf(bytes)
}

function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 4)
}

/** The names among these that are such documents, the newest first. */
export function newestFirst(names: readonly string[]): string[] {
  return names
    .filter((name) => /^\d{4}-\d\d-\d\d-\d{4}.*\.md$/.test(name))
    .toSorted()
    .toReversed()
}

/** `path`: from the top of the worktree. Such a document goes its own way into a commit. */
export function isContextHandoff(path: string, { handoffs }: Pick<Settings, 'handoffs'>): boolean {
  return path.startsWith(`${handoffs}/`)
}
