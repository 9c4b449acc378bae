/**
 * Work for sessions that must not disturb its caller: a failure only goes to the log, by its code or its kind, because
 * error messages may quote what was read.
 */

import type { SessionContext } from '../app/shadow/session-context.ts'
import type { Repository } from '../io/git/repository.ts'
import type { OpenSession } from '../io/sessions/session-context.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'

export async function inSession<T>(
  what: string,
  {
    cwd,
    env,
    repository,
  }: Readonly<{ cwd: string; env: NodeJS.ProcessEnv; repository?: Repository }>,
  action: (context: SessionContext) => Promise<T>,
): Promise<T | undefined> {
  return withSession(what, await openSessionContext(cwd, env, repository), action)
}

/** Closes the context afterwards. */
export async function withSession<T>(
  what: string,
  context: OpenSession,
  action: (context: SessionContext) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action(context)
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).name
    context.log(`${what}: ${String(reason)}`)
    return undefined
  } finally {
    context.close()
  }
}
