/** What git's hooks do for sessions; loaded only where some are open, or checkpoints are there to push. */

import { followCommit, followRewrite, linkMessage } from '../app/session/commit-sessions.ts'
import type { DraftRequest } from '../app/checkpoint/link-commit.ts'
import { finishDraft } from '../app/checkpoint/link-commit.ts'
import { pushCheckpoints, pushMessage } from '../app/checkpoint/push-checkpoints.ts'
import { readSettings } from '../app/ledger/read-settings.ts'
import type { SessionHooks } from '../app/hooks/run-hook.ts'
import { isDryPush } from '../core/commit/parse-git-args.ts'
import { findCommitProcess, findGitWords } from '../io/process/git-processes.ts'
import type { Repository } from '../io/git/repository.ts'
import type { OpenSession } from '../io/sessions/session-context.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'

export function sessionHooks(
  cwd: string,
  env: NodeJS.ProcessEnv,
  repository: Repository,
): SessionHooks {
  const inContext = (action: (context: OpenSession) => Promise<void>) =>
    inSession(cwd, env, repository, action)
  return {
    link: (args, isSequence) =>
      inContext(async (context) => {
        const [, source, sourceCommit] = args
        await linkMessage(context, {
          ...draftOf(context, cwd, args),
          source,
          sourceCommit,
          isSequence,
          opensEditor: env['GIT_EDITOR'] !== ':',
          // For a person's editor only: other commits do not wait for this to load.
          hasMessageHook: async () =>
            (await import('./is-hook-active.ts')).isHookActive('commit-msg', repository),
        })
      }),
    finishDraft: (args) =>
      inContext(async (context) => {
        await finishDraft(context, draftOf(context, cwd, args))
      }),
    followCommit: (isSequence) => inContext((context) => followCommit(context, { isSequence })),
    followRewrite: (lines) => inContext((context) => followRewrite(context, lines)),
    push: (remote, refs) =>
      inContext(async (context) => {
        const settings = await readSettings(context.repository)
        const wish = env['LEDGER_GIT_PUSH_CHECKPOINTS']
        const isDry = isDryPush(findGitWords() ?? [])
        const outcome = await pushCheckpoints(context, { remote, refs, settings, wish, isDry })
        const message = pushMessage(outcome, remote)
        if (message !== undefined) context.say(message)
      }),
  }
}

/** In the worktree's own git folder; the commit-msg shim tests for it. */
const DRAFT_FILE = 'ledger-git-draft'

function draftOf(
  { repository }: OpenSession,
  cwd: string,
  [messageFile = '']: readonly string[],
): DraftRequest {
  return {
    messageFile: absolute(cwd, messageFile),
    draftFile: `${repository.place.gitDir}/${DRAFT_FILE}`,
    words: findCommitProcess()?.words,
  }
}

function absolute(cwd: string, path: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`
}

/** Sessions never keep anybody from committing or pushing: what goes wrong is for the log. */
async function inSession(
  cwd: string,
  env: NodeJS.ProcessEnv,
  repository: Repository,
  action: (context: OpenSession) => Promise<void>,
): Promise<void> {
  const context = await openSessionContext(cwd, env, repository)
  try {
    await action(context)
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).message
    context.log(`git hook: ${String(reason)}`)
  } finally {
    context.close()
  }
}
