/** What a hook needs from git and from its own folder. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { HookContext, HookName, SessionHooks } from '../../app/hooks/hook-context.ts'
import { CHECKPOINTS_REF } from '../../core/checkpoint/checkpoint.ts'
import { readStdin } from '../terminal/stdin.ts'
import { say } from '../terminal/talk.ts'
import {
  findCommitProcess,
  findCommitter,
  findGitWords,
  isOrphan,
  isReplayCommand,
} from '../process/git-processes.ts'
import type { Repository } from './repository.ts'
import { openRepository } from './repository.ts'

export async function openHookSession(
  cwd: string,
  env: NodeJS.ProcessEnv,
  {
    args,
    loadSessions,
  }: { args: readonly string[]; loadSessions: (repository: Repository) => Promise<SessionHooks> },
): Promise<HookContext & { close(): void }> {
  const repository = await openRepository(cwd, env)
  return {
    repository,
    stdin: readStdin,
    commitProcess: findCommitProcess,
    isFollowed: env['LEDGER_GIT_UNFOLLOWED'] !== '1',
    committer: findCommitter,
    isOrphan: () => isOrphan(env),
    hasGitFile: (name) => existsSync(join(repository.place.gitDir, name)),
    isReplayCommand,
    isAskedToPush: (branch) => {
      // If the command line is unknown, nobody could ever ask.
      const words = findGitWords()
      const isNamed = words === undefined || words.some((word) => word.includes(branch))
      return isNamed || env['LEDGER_GIT_PUSH_CHECKPOINTS'] === '1'
    },
    args,
    sessions: async (hook) => {
      return (await hasPart(hook, repository)) ? loadSessions(repository) : undefined
    },
    say,
    close: () => repository.close(),
  }
}

async function hasPart(hook: HookName, repository: Repository): Promise<boolean> {
  if (hook === 'commit-msg') return true // the session may have ended while the editor was open
  return hasOpenSessions(repository) || (hook === 'pre-push' && hasCheckpoints(repository))
}

/** The markers that the store of sessions keeps. */
function hasOpenSessions({ place }: Repository): boolean {
  const folder = join(place.commonDir, 'ledger-git', 'open-sessions')
  return existsSync(folder) && readdirSync(folder).length > 0
}

async function hasCheckpoints({ objects }: Repository): Promise<boolean> {
  return (await objects.find(CHECKPOINTS_REF)) !== undefined
}
