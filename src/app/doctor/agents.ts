/** Coding agents: which are connected, and is each of our hooks in place exactly once and up to date? */

import type { Agent } from '../../core/agents/agent.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import { AGENT_NAMES, AGENTS } from '../../core/agents/agents.ts'
import type { Connection } from '../../core/agents/agent-settings.ts'
import { findSwitchedOff } from '../../core/agents/agent-switch.ts'
import { connectionOf, isConnected, settingsFilesOf } from '../agents/agent-files.ts'
import { readRecord } from '../setup/install-record.ts'
import type { Setup } from '../setup/setup.ts'
import type { Finding } from './finding.ts'
import { INSTALL, ok, warning } from './finding.ts'

interface AgentFile {
  readonly agent: AgentName
  /** Relative to the top of the worktree. */
  readonly file: string
  /** Why its settings cannot be edited. */
  readonly obstacle: string | undefined
  /** What is wrong with our hooks in it. */
  readonly complaint: string | undefined
}

export function checkAgents(setup: Setup): Finding[] {
  const used = agentFiles(setup)
  if (used.length === 0) return [hooksInPlace(used)]
  return [hooksInPlace(used), hooksSwitchedOn(used, setup), trust(used), commitsOfAgents(used)]
}

function hooksInPlace(used: readonly AgentFile[]): Finding {
  const name = 'agent-hooks'
  const bad = used.filter(({ complaint }) => complaint !== undefined)
  const [first] = bad
  if (first === undefined) {
    const said = used.map(({ agent, file }) => `${AGENTS[agent].title} (${file})`).join(', ')
    const none = `no coding agent is connected (${INSTALL} --agent ${AGENT_NAMES.join('|')})`
    return ok(name, said === '' ? none : `connected: ${said}`)
  }
  const { agent, file, obstacle } = first
  const local = file === AGENTS[agent].localFile ? ' --local' : ''
  const fix = obstacle === undefined ? `${INSTALL}${local} --agent ${agent}` : `correct ${file}`
  return warning(name, bad.map((each) => `${each.file} ${each.complaint}`).join('; '), fix)
}

/** Consent that only the user can give and that no file of the worktree shows. */
function trust(used: readonly AgentFile[]): Finding {
  const gates = recordsOf(used).flatMap(({ note }) => note ?? [])
  const none = 'no connected agent needs more than to be started here'
  return ok('agent-trust', gates.length === 0 ? none : gates.join('; '))
}

/**
 * Agents that run git without hooks: their commits are followed anyway; what they lack is said here and when it
 * matters.
 */
function commitsOfAgents(used: readonly AgentFile[]): Finding {
  const off = recordsOf(used).flatMap(({ title, cutsOffGit }) =>
    cutsOffGit === undefined ? [] : [`${title} (${cutsOffGit})`],
  )
  const said =
    `${off.join(', ')} runs git without hooks: its commits are still linked, but include no pending events ` +
    'and may leave current.md stale; ledger-git resolve --commit fixes that'
  return ok('agent-commits', off.length === 0 ? 'connected agents run git with its hooks' : said)
}

function recordsOf(used: readonly AgentFile[]): Agent[] {
  return [...new Set(used.map(({ agent }) => AGENTS[agent]))]
}

/** Checks only the settings of this worktree: a user's and an organization's settings are not ours to read. */
function hooksSwitchedOn(used: readonly AgentFile[], { files, repository }: Setup): Finding {
  const name = 'agent-hooks-on'
  const off = [...new Set(used.map(({ agent }) => agent))].flatMap((agent) => {
    const found = findSwitchedOff(agent, (file) => files.read(`${repository.place.top}/${file}`))
    return found === undefined ? [] : [{ ...found, title: AGENTS[agent].title }]
  })
  const [first] = off
  if (first === undefined) return ok(name, 'no setting of the worktree switches them off')
  const said = off.map(({ title, file, setting }) => `${title} (${file}, ${setting})`)
  const fix = `take ${first.setting.split(/[:= ]/)[0]} out of ${first.file}, or leave it: then nothing is recorded`
  return warning(name, `hooks are switched off: ${said.join('; ')}`, fix)
}

/** Agents that `doctor --fix` reconnects: their shared settings can be edited and do not call us correctly. */
export function agentsToFix(setup: Setup): AgentName[] {
  return agentFiles(setup).flatMap(({ agent, file, obstacle, complaint }) => {
    const isOurs = file === AGENTS[agent].file && obstacle === undefined
    return isOurs && complaint !== undefined ? [agent] : []
  })
}

/** Settings files that call us, or that should because `install` edited them. */
function agentFiles({ files, repository }: Setup): AgentFile[] {
  const { top } = repository.place
  if (top === undefined) return []
  const recorded = readRecord(files, repository.place).edits
  return AGENT_NAMES.flatMap((agent) =>
    settingsFilesOf(agent).flatMap((file): AgentFile[] => {
      const path = `${top}/${file}`
      const connection = connectionOf(path, agent, files)
      const isRecorded = recorded.some((edit) => edit.path === path && edit.isForContext !== true)
      if (!isRecorded && !isConnected(connection)) return []
      const obstacle = typeof connection === 'string' ? connection : undefined
      return [{ agent, file, obstacle, complaint: obstacle ?? complaintOf(connection) }]
    }),
  )
}

function complaintOf(connection: Connection | string | undefined): string | undefined {
  if (typeof connection !== 'object') return 'is gone, and with it our hooks'
  const { connected, missing, older, surplus } = connection
  if (connected.length === 0) return 'has none of our hooks any more'
  const said = [
    missing.length === 0 ? '' : `lacks the hook of ${missing.join(', ')}`,
    older.length === 0 ? '' : `has hooks of an older release (${older.join(', ')})`,
    surplus.length === 0 ? '' : `calls ledger-git more than once (${surplus.join(', ')})`,
  ].filter((part) => part !== '')
  return said.length === 0 ? undefined : said.join(', ')
}
