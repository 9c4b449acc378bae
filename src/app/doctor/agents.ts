/** Coding agents: which are connected, and is every hook of ours in place, once, in today's words? */

import type { Connection } from '../../core/agents/agent-settings.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import { AGENT_NAMES, AGENTS } from '../../core/agents/agents.ts'
import { findSwitchedOff } from '../../core/agents/agent-switch.ts'
import { connectionOf, isConnected, settingsFilesOf } from '../agents/agent-files.ts'
import { readManifest } from '../setup/install-record.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { INSTALL, ok, warning } from './finding.ts'

interface AgentFile {
  readonly agent: AgentName
  /** From the top of the worktree. */
  readonly file: string
  readonly connection: Connection | string | undefined
  readonly isRecorded: boolean
}

export async function checkAgents(context: DoctorContext): Promise<Finding[]> {
  const used = agentFiles(context)
  return used.length === 0 ? [inPlace(used)] : [inPlace(used), switchedOn(used, context)]
}

/** By the settings of this worktree: those of the user and of an organization are not ours to read. */
function switchedOn(used: readonly AgentFile[], { files, repository }: DoctorContext): Finding {
  const agents = [...new Set(used.map(({ agent }) => agent))]
  const off = agents.flatMap((agent) => {
    const found = findSwitchedOff(agent, (file) => files.read(`${repository.place.top}/${file}`))
    return found === undefined ? [] : [{ ...found, title: AGENTS[agent].title }]
  })
  const name = 'agent-hooks-on'
  const [first] = off
  if (first === undefined) return ok(name, 'no setting of the worktree switches them off')
  const said = off.map(({ title, file, setting }) => `${title} (${file}, ${setting})`)
  const fix = `take ${first.setting.split(/[:= ]/)[0]} out of ${first.file}, or leave it: then nothing is recorded`
  return warning(name, `hooks are switched off: ${said.join('; ')}`, fix)
}

function inPlace(used: readonly AgentFile[]): Finding {
  const name = 'agent-hooks'
  const complaints = used.flatMap((each) => {
    const why = complaintOf(each)
    return why === undefined ? [] : [{ ...each, why }]
  })
  const [first] = complaints
  if (first !== undefined) {
    const message = complaints.map(({ file, why }) => `${file} ${why}`).join('; ')
    return warning(name, message, fixOf(first))
  }
  const said = used.map(({ agent, file }) => `${AGENTS[agent].title} (${file})`)
  return said.length === 0
    ? ok(name, `no coding agent is connected (${INSTALL} --agent ${AGENT_NAMES.join('|')})`)
    : ok(name, `connected: ${said.join(', ')}`)
}

/** Agents that `doctor --fix` connects anew: their shared settings can be edited, and call us badly. */
export function agentsToMend(context: DoctorContext): AgentName[] {
  return agentFiles(context).flatMap((each) => {
    const isShared = each.file === AGENTS[each.agent].file
    const isEditable = typeof each.connection !== 'string'
    return isShared && isEditable && complaintOf(each) !== undefined ? [each.agent] : []
  })
}

/** Files that call us, or that `install` made call us. */
function agentFiles({ files, repository }: DoctorContext): AgentFile[] {
  const { top } = repository.place
  if (top === undefined) return []
  const recorded = readManifest(files, repository.place).edits
  return AGENT_NAMES.flatMap((agent) =>
    settingsFilesOf(agent).flatMap((file): AgentFile[] => {
      const path = `${top}/${file}`
      const connection = connectionOf(path, agent, files)
      const isRecorded = recorded.some((edit) => edit.path === path)
      return isRecorded || isConnected(connection) ? [{ agent, file, connection, isRecorded }] : []
    }),
  )
}

function complaintOf({ connection, isRecorded }: AgentFile): string | undefined {
  if (connection === undefined) return 'is gone, and with it our hooks'
  if (typeof connection === 'string') return isRecorded ? connection : undefined
  const { connected, missing, older, surplus } = connection
  if (connected.length === 0) return 'has none of our hooks any more'
  const said = [
    missing.length === 0 ? '' : `lacks the hook of ${missing.join(', ')}`,
    older.length === 0 ? '' : `has hooks of an older release (${older.join(', ')})`,
    surplus.length === 0 ? '' : `calls ledger-git once too often (${surplus.join(', ')})`,
  ].filter((part) => part !== '')
  return said.length === 0 ? undefined : said.join(', ')
}

function fixOf({ agent, file, connection }: AgentFile): string {
  if (typeof connection === 'string') return `mend ${file}`
  const local = file === AGENTS[agent].localFile ? ' --local' : ''
  return `${INSTALL}${local} --agent ${agent}`
}
