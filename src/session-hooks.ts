/** What git's hooks do for sessions; loaded only where some are open, or checkpoints are there to push. */

import { followCommit, followRewrite, linkMessage } from './app/session/commit-sessions.ts'
import { pushCheckpoints, pushMessage } from './app/session/push-checkpoints.ts'
import { readSettings } from './app/read-settings.ts'
import type { SessionHooks } from './app/run-hook.ts'
import { findCommitProcess } from './io/git/git-ancestor.ts'
import type { OpenWork } from './io/sessions/work-context.ts'
import { openWorkContext } from './io/sessions/work-context.ts'

export function sessionHooks(cwd: string, env: NodeJS.ProcessEnv): SessionHooks {
  return {
    link: (args, isSequence) =>
      inContext(cwd, env, async (context) => {
        const [messageFile = '', source, sourceCommit] = args
        await linkMessage(context, {
          messageFile: absolute(cwd, messageFile),
          source,
          sourceCommit,
          words: findCommitProcess()?.words,
          isSequence,
          opensEditor: env['GIT_EDITOR'] !== ':',
        })
      }),
    followCommit: (isSequence) =>
      inContext(cwd, env, (context) => followCommit(context, { isSequence })),
    followRewrite: (lines) => inContext(cwd, env, (context) => followRewrite(context, lines)),
    push: (remote, refs) =>
      inContext(cwd, env, async (context) => {
        const settings = await readSettings(context.repository)
        const wish = env['LEDGER_GIT_PUSH_CHECKPOINTS']
        const outcome = await pushCheckpoints(context, { remote, refs, settings, wish })
        const message = pushMessage(outcome, remote)
        if (message !== undefined) context.say(message)
      }),
  }
}

function absolute(cwd: string, path: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`
}

/** Sessions never keep anybody from committing or pushing: what goes wrong is for the log. */
async function inContext(
  cwd: string,
  env: NodeJS.ProcessEnv,
  action: (context: OpenWork) => Promise<void>,
): Promise<void> {
  const context = await openWorkContext(cwd, env)
  try {
    await action(context)
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).message
    context.log(`git hook: ${String(reason)}`)
  } finally {
    context.close()
  }
}
