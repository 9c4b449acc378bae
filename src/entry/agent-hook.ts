/**
 * `ledger-git agent-hook AGENT EVENT`: what a coding agent's hook starts, with its payload on stdin.
 *
 * Whatever happens, the agent goes on: the status is 0, standard output holds an answer of the agent's
 * own form or nothing, and what went wrong stands in the log of sessions.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { settleMarks } from '../app/commit/settle-marks.ts'
import { handleSignal } from '../app/session/handle-signal.ts'
import { isHere } from '../app/shadow/session-context.ts'
import type { OpenSession } from '../io/sessions/session-context.ts'
import { openSessionContext } from '../io/sessions/session-context.ts'
import type { AgentSignal } from '../core/agents/agent-signal.ts'
import type { AgentName } from '../core/agents/agents.ts'
import { AGENT_NAMES, AGENTS, readPayload, writeAnswer } from '../core/agents/agents.ts'
import { readStdin } from '../io/terminal/stdin.ts'
import { runProcess, tellUsage } from './run-process.ts'

/** The process that the launcher starts. */
export async function runFromAgent(): Promise<void> {
  await runProcess(([, ...words]) => runAgentHook(words))
}

export async function runAgentHook(words: readonly string[]): Promise<number> {
  const [agent, event] = words
  const name = AGENT_NAMES.find((known) => known === agent)
  if (name === undefined || event === undefined) {
    return tellUsage(words, `agent-hook ${AGENT_NAMES.join('|')} EVENT (run by agents)`)
  }
  const payload = await readStdin()
  if (process.env['LEDGER_GIT'] === '0') return 0
  const signal = readPayload(name, event, payload)
  if (signal === undefined) return 0
  const context = await openFor(name, signal)
  if (context === undefined) return 0
  try {
    await settleMarks(context.repository, context.say)
    if (context.summaries.list().length > 0) {
      await (await import('../app/report/summaries.ts')).settleSummaries(context)
    }
    const answer = await handleSignal(context, signal)
    const text = writeAnswer(name, signal.kind, answer)
    if (text !== '') process.stdout.write(text)
    // Most repositories have told no tracker anything (`io/tracker/outbox-files.ts`).
    const outbox = `${context.repository.place.commonDir}/ledger-git/outbox`
    if (['session_start', 'session_end'].includes(signal.kind) && existsSync(outbox)) {
      const { wakeSender } = await import('../app/tracker/wake-sender.ts')
      await wakeSender(await context.tracker())
    }
  } catch (error) {
    const reason = (error as { code?: unknown }).code ?? (error as Error).name
    context.log(`session ${signal.session}: ${signal.kind}: ${String(reason)}`)
  } finally {
    context.close()
  }
  return 0
}

/**
 * The place that the session is followed in: where the agent's shell stands, or the project that the agent was started in,
 * where the shell has gone into a repository without ledger-git (such as a submodule), into none, or into one that does
 * not know the session.
 */
async function openFor(name: AgentName, { kind, session, cwd }: AgentSignal) {
  const isStart = kind === 'session_start' || kind === 'turn_start'
  const here = await openQuietly(cwd)
  const isOurs = here !== undefined && isFollowed(here)
  if (isOurs && isStart) return here
  if (isOurs && here.sessions.read(session) !== undefined) return inItsWorktree(here, session)
  const project = await openProject(name)
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

async function openProject(name: AgentName) {
  const folder = process.env[AGENTS[name].projectVariable ?? '']
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
