/** What git's hooks do for sessions; loaded only if sessions are open, or there are checkpoints to push. */

import { followCommit, followRewrite, linkMessage } from '../app/session/commit-sessions.ts'
import { reapApart } from '../app/session/reap-sessions.ts'
import type { DraftRequest } from '../app/checkpoint/link-commit.ts'
import { finishDraft } from '../app/checkpoint/link-commit.ts'
import { readSettings } from '../app/ledger/read-settings.ts'
import type { SessionHooks } from '../app/hooks/hook-context.ts'
import { isDryPush } from '../core/commit/parse-git-args.ts'
import { findCommitProcess, findGitWords } from '../io/process/git-processes.ts'
import type { Repository } from '../io/git/repository.ts'
import type { SessionContext } from '../app/shadow/session-context.ts'
import { inSession } from './in-session.ts'

/** A file in the worktree's own git folder; the commit-msg shim tests whether it exists. */
const DRAFT_FILE = 'ledger-git-draft'

export function sessionHooks(
  cwd: string,
  env: NodeJS.ProcessEnv,
  repository: Repository,
): SessionHooks {
  const run = <T>(action: (context: SessionContext) => Promise<T>) =>
    inSession('git hook', { cwd, env, repository }, action)
  const draftOf = ([file = '']: readonly string[]): DraftRequest => ({
    messageFile: file.startsWith('/') ? file : `${cwd}/${file}`,
    draftFile: `${repository.place.gitDir}/${DRAFT_FILE}`,
    words: findCommitProcess()?.words,
  })
  return {
    link: (args, isSequence) =>
      run(async (context) => {
        const [, source, sourceCommit] = args
        await linkMessage(context, {
          ...draftOf(args),
          source,
          sourceCommit,
          isSequence,
          opensEditor: env['GIT_EDITOR'] !== ':',
          // Only for a person's editor: other commits do not wait for this to load.
          hasMessageHook: async () =>
            (await import('./is-hook-active.ts')).isHookActive('commit-msg', repository),
        })
      }),
    finishDraft: (args) => run((context) => finishDraft(context, draftOf(args))),
    followCommit: (isSequence) =>
      run(async (context) => {
        await followCommit(context, { isSequence })
        reapApart(context)
      }),
    followRewrite: (lines) => run((context) => followRewrite(context, lines)),
    hold: (tips) =>
      run(async (context) => (await import('../app/context/hold-wip.ts')).holdWip(context, tips)),
    push: (remote, refs) =>
      run(async (context) => {
        const { pushCheckpoints, pushMessage, rememberPush } =
          await import('../app/checkpoint/push-checkpoints.ts')
        const settings = await readSettings(context.repository)
        const wish = env['LEDGER_GIT_PUSH_CHECKPOINTS']
        const isDry = isDryPush(findGitWords() ?? [])
        const outcome = await pushCheckpoints(context, { remote, refs, settings, wish, isDry })
        await rememberPush(context, { remote, wish }, outcome)
        const message = pushMessage(outcome, remote)
        if (message !== undefined) context.say(message)
        reapApart(context)
      }),
  }
}
