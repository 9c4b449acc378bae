/** Paths and names of the documents of context checkpoints. */

import { createHash } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'

/** File that tells scripts how full the context is. Path from the top of the worktree. */
export const STATE_FILE = '.claude/checkpoint-state.json'

/** `2026-01-07-1145-3f2a.md`: local time and a hash of the text, so that equal names mean equal texts. */
export function contextHandoffName(
  { date, time }: { readonly date: string; readonly time: string },
  text: string,
): string {
  return `${date}-${time.replace(':', '')}-${hashOf(text)}.md`
}

/** True for a document that was not changed since it was written: the hash in its name matches its content. */
export function isOwnHandoff(name: string, bytes: Uint8Array): boolean {
  return /^\d{4}-\d\d-\d\d-\d{4}-([0-9a-f]{4})\.md$/.exec(name)?.[1] === hashOf(bytes)
}

function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 4)
}

/** The names that belong to such documents, the newest first. */
export function newestFirst(names: readonly string[]): string[] {
  return names
    .filter((name) => /^\d{4}-\d\d-\d\d-\d{4}.*\.md$/.test(name))
    .toSorted()
    .toReversed()
}

/** `path`: from the top of the worktree. Such a document is committed in a separate way. */
export function isContextHandoff(path: string, { handoffs }: Pick<Settings, 'handoffs'>): boolean {
  return path.startsWith(`${handoffs}/`)
}
