/** Files of loops in the worktree: read as they are, written whole. What is a link is not there. */

import { LOOP_FILES } from '../../core/ralph/dialects.ts'
import type { Edit, ReadText } from '../../core/ralph/loop.ts'
import { nameOfPath } from '../../core/shadow/shadow-paths.ts'
import { decodeBytes, encodeBytes } from '../../core/text/byte-text.ts'
import type { WorktreePort } from '../ports.ts'

export type LoopFiles = Pick<WorktreePort, 'read' | 'write' | 'remove'>

/** `more`: paths besides those that kinds of loops have. */
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

/** In this order: the prompt says where to go on before anything says that it does. */
export async function writeEdits(worktree: LoopFiles, edits: readonly Edit[]): Promise<void> {
  for (const { path, text } of edits) {
    if (text === undefined) await worktree.remove(nameOfPath(path))
    else await worktree.write(path, encodeBytes(text))
  }
}
