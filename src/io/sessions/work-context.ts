/** Everything that following a session needs, on the real outside world. */

import type { WorkContext } from '../../app/session/work-context.ts'
import type { LinkContext } from '../../app/checkpoint/checkpoint-ports.ts'
import { GitBranches, GitChanges } from '../git/checkpoint-branch.ts'
import { GitCheckpointRemote } from '../git/checkpoint-remote.ts'
import type { Repository } from '../git/repository.ts'
import { ShadowFiles } from '../git/shadow-files.ts'
import { ShadowRescue } from '../git/shadow-rescue.ts'
import { nodeFiles } from '../files/node-files.ts'
import { openSessionContext } from './session-context.ts'

export type OpenWork = WorkContext & {
  readonly messages: LinkContext['files']
  close(): void
}

/** `opened`: the repository around `cwd`, where it is known. */
export async function openWorkContext(
  cwd: string,
  env: NodeJS.ProcessEnv,
  opened?: Repository,
): Promise<OpenWork> {
  const { git, ...context } = await openSessionContext(cwd, env, opened)
  const { place } = context.repository
  return {
    ...context,
    files: new ShadowFiles(git, place),
    rescue: new ShadowRescue(git, place),
    branches: new GitBranches(git),
    changes: new GitChanges(git),
    remote: new GitCheckpointRemote(git),
    messages: nodeFiles,
    env,
    folder: cwd,
  }
}
