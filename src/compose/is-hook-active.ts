/** Whether git reaches our part of a hook; checked only if a wrong answer would do harm. */

import { isReached } from '../app/doctor/look-at-hooks.ts'
import type { HookName } from '../app/hooks/hook-context.ts'
import { nodeFiles } from '../io/files/node-files.ts'
import { runningVersion } from '../io/git/git-versions.ts'
import { findHooksFolder } from '../io/git/hooks-folder.ts'
import type { Repository } from '../io/git/repository.ts'

export async function isHookActive(hook: HookName, repository: Repository): Promise<boolean> {
  const hooks = await findHooksFolder(repository)
  const gits = { running: await runningVersion(repository.git), others: [] }
  return isReached(hook, { files: nodeFiles, hooks, repository, gits, version: '' })
}
