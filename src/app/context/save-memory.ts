/**
 * A checkpoint, given to a memory tool on this machine: only where its user said so in git's configuration. It
 * is a copy: where nobody answers, the document is there all the same.
 */

import type { ContextHandoff } from '../../core/context/handoff-document.ts'
import { renderContextHandoff, titleOf } from '../../core/context/handoff-document.ts'
import { MEMORY_KEY, MEMORY_TOOL } from '../../core/ralph/memory.ts'
import type { SessionContext } from '../shadow/session-context.ts'

/** True where it was taken. `handoff`: without secrets. */
export async function saveMemory(
  { repository, saveMemory: save, folder, log }: SessionContext,
  handoff: ContextHandoff,
): Promise<boolean> {
  const asked = await repository.personalConfig(MEMORY_KEY)
  if (asked?.kind !== 'value' || asked.value !== MEMORY_TOOL) return false
  const top = repository.place.top ?? folder
  const project = top.slice(top.lastIndexOf('/') + 1)
  const failed = await save({
    title: titleOf(handoff),
    text: renderContextHandoff(handoff),
    project,
  })
  if (failed !== undefined) log(`checkpoint not given to ${MEMORY_TOOL}: ${failed}`)
  return failed === undefined
}
