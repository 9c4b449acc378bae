/**
 * Which repository a session of an agent is in. The agent starts us where its shell stands, and a command may have taken
 * it anywhere.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isHere } from '../app/shadow/session-context.ts'
import type { AgentName } from '../core/agents/agents.ts'
import { AGENTS } from '../core/agents/agents.ts'
import type { OpenSession } from '../io/sessions/session-context.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'

/** What the agent says of a session; `project`: the folder that it was started in, where no variable names it. */
interface About {
  readonly session: string
  readonly cwd?: string | undefined
  readonly project?: string | undefined
}

/**
 * The place that the session is followed in: where the agent's shell stands, or the project that the agent was started in,
 * where the shell has gone into a repository without ledger-git (such as a submodule), into none, or into one that does
 * not know the session.
 */
export async function openForSession(
  name: AgentName,
  { session, cwd, project: named }: About,
  isStart = false,
) {
  const here = await openQuietly(cwd)
  const isOurs = here !== undefined && isFollowed(here)
  if (isOurs && isStart) return here
  if (isOurs && here.sessions.read(session) !== undefined) return inItsWorktree(here, session)
  const project = await openProject(process.env[AGENTS[name].projectVariable ?? ''] || named)
  if (project !== undefined && !(isOurs && project.sessions.read(session) === undefined)) {
    here?.close()
    return inItsWorktree(project, session)
  }
  project?.close()
  return here === undefined || isStart ? here : inItsWorktree(here, session)
}

/** Within a turn the worktree that it began in, wherever the agent's shell has gone since. */
async function inItsWorktree(context: OpenSession, session: string) {
  const state = context.sessions.read(session)
  if (state === undefined || isHere(context, state)) return context
  const there = await openQuietly(state.worktree.path)
  const isThere = there !== undefined && isHere(there, state)
  ;(isThere ? context : there)?.close()
  return isThere ? there : context
}

async function openProject(folder: string | undefined) {
  const project = folder === undefined || folder === '' ? undefined : await openQuietly(folder)
  if (project === undefined || isFollowed(project)) return project
  project.close()
  return undefined
}

/**
 * Whether ledger-git is installed there: it is the launcher's own repository, or another with a launcher. A branch may
 * hold what looks like a git folder, with settings that start programs, and it may say that it belongs to a repository
 * of the user's; but none that is named `.git`, and none among the worktrees of one.
 */
function isFollowed({ repository: { place } }: OpenSession): boolean {
  const { commonDir, gitDir } = place
  if (gitDir !== commonDir && !gitDir.startsWith(`${commonDir}/worktrees/`)) return false
  const home = `${commonDir}/ledger-git`
  if (home === resolve(process.env['LEDGER_GIT_HOME'] ?? '')) return true
  return /\/\.git(?:\/|$)/.test(commonDir) && existsSync(`${home}/run`)
}

/** Undefined outside a repository, in one without a worktree, and in a folder that was removed. */
async function openQuietly(cwd?: string) {
  try {
    const context = await openSessionContext(cwd ?? process.cwd(), process.env)
    if (context.repository.place.top !== undefined) return context
    context.close()
  } catch {
    // no repository here, no folder, or no git
  }
  return undefined
}
