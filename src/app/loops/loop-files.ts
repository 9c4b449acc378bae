/** Files of loops in the worktree: read as they are and written whole. Links are treated as missing. */

import { LOOP_FILES } from '../../core/ralph/dialects.ts'
import type { Edit, ReadText } from '../../core/ralph/loop.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import { decodeBytes, encodeBytes } from '../../core/text/byte-text.ts'
import type { WorktreePort } from '../ports.ts'

export type LoopFiles = Pick<WorktreePort, 'read' | 'write' | 'remove'>

/** `more`: paths besides the known files of loops. */
export async function readLoopFiles(
  worktree: LoopFiles,
  more: readonly string[] = [],
): Promise<ReadText> {
  const texts = new Map<string, string>()
  for (const path of [...LOOP_FILES, ...more]) {
    const bytes = await worktree.read(path)
    if (bytes !== undefined) texts.set(path, decodeBytes(bytes))
  }
  return (path) => texts.get(path)
}

/** Writes in the given order: the prompt must say where to continue before any other file refers to that. */
export async function writeEdits(worktree: LoopFiles, edits: readonly Edit[]): Promise<void> {
  for (const { path, text } of edits) {
    if (text === undefined) await worktree.remove(nameOfPath(path))
    else await worktree.write(path, encodeBytes(text))
  }
}
