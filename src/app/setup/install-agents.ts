/**
 * The part of `install` that deals with coding agents: hooks in their settings, and texts for them.
 *
 * If a requested agent cannot be connected, nothing at all is installed. An agent that an earlier install connected is
 * kept up to date as long as something of ours is still there: what the user removed stays removed.
 */

import type { AgentName } from '../../core/agents/agents.ts'
import { AGENT_NAMES, AGENTS } from '../../core/agents/agents.ts'
import { markedText, stateOfText } from '../../core/agents/agent-text.ts'
import { LedgerError, usage } from '../../core/errors/errors.ts'
import {
  AGENT_TEXTS,
  connectFile,
  connectionOf,
  isConnected,
  textsOf,
} from '../agents/agent-files.ts'
import { planContext } from './install-context.ts'
import type { InstallPlan } from './install-plan.ts'

/** Paths of per-clone settings, which git must ignore. */
export function localSettings(plan: InstallPlan): string[] {
  return AGENT_NAMES.flatMap((agent) => {
    const { localFile, contextHook } = AGENTS[agent]
    if (localFile === undefined) return []
    const isAsked = plan.local && plan.agents.includes(agent)
    const isFollowed = plan.followsContext && contextHook !== undefined
    return isAsked || isFollowed || plan.hasRecorded(`/${localFile}`) ? [localFile] : []
  })
}

/** Returns the files (relative to the top of the worktree) that the team should commit if they change. */
export async function planAgents(plan: InstallPlan): Promise<string[]> {
  const { agents, local, setup } = plan
  const { index, place } = setup.repository
  const { top } = place
  if (top === undefined) {
    if (agents.length === 0) return []
    throw new LedgerError(
      'NO_WORKTREE',
      'this is a bare repository: agents read their settings in a worktree',
      'ledger-git install --agent NAME in a worktree',
    )
  }
  for (const agent of AGENT_NAMES) {
    const { file, localFile, title } = AGENTS[agent]
    const isAsked = agents.includes(agent)
    if (!local) planSettings(agent, `${top}/${file}`, isAsked, plan)
    if (isAsked && local && localFile === undefined) {
      throw usage(
        `${title} has no settings for one clone only`,
        `ledger-git install --agent ${agent}, without --local`,
      )
    }
    if (localFile === undefined) continue
    if (isAsked && local && (await index.list(localFile)).length > 0) {
      throw new LedgerError(
        'AGENT_SETTINGS',
        `${localFile} is in git, and --local writes nothing that git tracks`,
        `git rm --cached ${localFile}, or leave --local out`,
      )
    }
    planSettings(agent, `${top}/${localFile}`, isAsked && local, plan)
  }
  await planContext(plan, top)
  if (local) return []
  for (const text of Object.entries(AGENT_TEXTS)) planText(text, plan)
  return [...AGENT_NAMES.map((agent) => AGENTS[agent].file), ...Object.keys(AGENT_TEXTS)]
}

function planSettings(agent: AgentName, path: string, isAsked: boolean, plan: InstallPlan): void {
  const { files } = plan.setup
  const { title, note } = AGENTS[agent]
  const old = plan.recorded(path)
  const connection = connectionOf(path, agent, files)
  const isThere = typeof connection === 'string' || isConnected(connection)
  if (!isAsked && (old === undefined || !isThere)) return
  const result = connectFile(path, agent, old?.pieces ?? [], files)
  if (typeof result !== 'string') {
    const what = `hooks for ${title}`
    plan.put({ path, kind: 'agent', content: result.text, pieces: result.pieces, what })
    if (isAsked && !isConnected(connection) && note !== undefined) plan.notes.push(note)
  } else if (isAsked) {
    throw new LedgerError(
      'AGENT_SETTINGS',
      `${path} ${result}, so ${title} cannot be connected; nothing was installed`,
      'correct the file, then run the command again',
    )
  } else plan.notes.push(`${path} ${result}: left alone`)
}

function planText([file, template]: readonly [string, string], plan: InstallPlan): void {
  const { files, asset, repository } = plan.setup
  const readers = AGENT_NAMES.filter((agent) => textsOf([agent])[file] !== undefined)
  const isMeant = (agent: AgentName) =>
    plan.agents.includes(agent) &&
    (plan.context || AGENTS[agent].contextTexts?.[file] === undefined)
  const asked = readers.filter(isMeant)
  const isAsked = asked.length > 0
  const path = `${repository.place.top}/${file}`
  const kind = files.kind(path)
  // What the user removed stays removed.
  if (!isAsked && (kind === 'absent' || plan.recorded(path) === undefined)) return
  const wanted = markedText(asset(`templates/${template}`))
  const before = kind === 'file' ? files.read(path) : undefined
  const state = before === undefined ? kind : stateOfText(before, wanted)
  if (state === 'edited' || state === 'other') {
    if (isAsked) plan.notes.push(`${file} is not as ledger-git wrote it, so it is left unchanged`)
  } else if (state !== 'newer') {
    const content = state === 'current' ? (before ?? wanted) : wanted
    plan.put({ path, kind: 'team', content, what: forAgents(isAsked ? asked : readers) })
  }
}

function forAgents(agents: readonly AgentName[]): string {
  return `for ${agents.map((agent) => AGENTS[agent].title).join(' and ')}`
}
