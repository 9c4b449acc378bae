/** Whether git comes to our part of a hook; asked only where a wrong answer would do harm. */

import type { HookName } from '../app/hooks/run-hook.ts'
import { isReached } from '../app/setup/hook-routes.ts'
import { runningVersion } from '../io/git/git-versions.ts'
import { findHooksFolder } from '../io/git/hooks-folder.ts'
import type { Repository } from '../io/git/repository.ts'
import { nodeFiles } from '../io/files/node-files.ts'

export async function isHookReached(hook: HookName, repository: Repository): Promise<boolean> {
  const hooks = await findHooksFolder(repository)
  const places = { files: nodeFiles, hooks, top: repository.place.top }
  const version = await runningVersion(repository.git)
  return isReached(hook, repository, version, places)
}
