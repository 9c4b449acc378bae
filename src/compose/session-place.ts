/**
 * Finds the repository of an agent's session. The agent starts us in its shell's current folder, and a command may have
 * changed that to anywhere.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isHere } from '../app/shadow/session-context.ts'
import type { AgentName } from '../core/agents/agents.ts'
import { AGENTS } from '../core/agents/agents.ts'
import type { OpenSession } from '../io/sessions/session-context.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'

/** What the agent says about a session. `project`: the folder it was started in, if no variable names it. */
interface About {
  readonly session: string
  readonly cwd?: string | undefined
  readonly project?: string | undefined
}

/**
 * Opens the repository that the session is followed in: the one that the agent's shell is in, or the project that the
 * agent was started in, if the shell is in a repository without ledger-git (such as a submodule), in none, or in one
 * that does not know the session.
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

/** Within a turn, the worktree that the turn began in, wherever the agent's shell has gone since. */
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
 * Whether ledger-git is installed there: it is the launcher's own repository, or another one with a launcher. A branch
 * may contain a folder that looks like a git folder, has settings that start programs, and claims to belong to one of
 * the user's repositories. But no such folder can be named `.git`, or be among the worktrees of a `.git`.
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
