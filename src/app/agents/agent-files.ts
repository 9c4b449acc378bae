/** Which files of the worktree agents read, and why we do not write to some of them. */

import { connect, connectionIn } from '../../core/agents/agent-settings.ts'
import type { Connected, Connection } from '../../core/agents/agent-settings.ts'
import type { AgentName } from '../../core/agents/agents.ts'
import { AGENT_NAMES, AGENTS } from '../../core/agents/agents.ts'
import type { FilesPort } from '../ports.ts'

/** The template of each text that agents read, by its path relative to the top of the worktree. */
export function textsOf(agents: readonly AgentName[]): Readonly<Record<string, string>> {
  const all = agents.map((agent) => AGENTS[agent])
  return Object.assign({}, ...all.flatMap(({ texts, contextTexts }) => [texts, contextTexts]))
}

export const AGENT_TEXTS = textsOf(AGENT_NAMES)

/** An agent's settings files: the team's, then the one for this clone. */
export function settingsFilesOf(agent: AgentName): string[] {
  const { file, localFile } = AGENTS[agent]
  return localFile === undefined ? [file] : [file, localFile]
}

/** All files that `install --agent` writes for these agents. */
export function filesOf(agents: readonly AgentName[]): string[] {
  return [...agents.flatMap(settingsFilesOf), ...Object.keys(textsOf(agents))]
}

/** The file with our hooks added; a string says why the file is left unchanged. */
export function connectFile(
  path: string,
  agent: AgentName,
  pieces: readonly string[],
  files: FilesPort,
): Connected | string {
  return whyUnwritable(path, files) ?? connect(files.read(path), agent, pieces)
}

/** Why settings cannot be written there; undefined if they can. */
export function whyUnwritable(path: string, files: FilesPort): string | undefined {
  const kind = files.kind(path)
  if (kind === 'other') return 'is a link or a folder'
  if (kind === 'file' && (files.mode(path) & 0o200) === 0) return 'is read-only'
  const folder = path.slice(0, path.lastIndexOf('/'))
  return files.kind(folder) === 'file' ? 'cannot be made: its folder is a file' : undefined
}

/** How a file is connected; undefined if there is no file; a string says why this cannot be determined. */
export function connectionOf(
  path: string,
  agent: AgentName,
  files: FilesPort,
): Connection | string | undefined {
  const kind = files.kind(path)
  const text = files.read(path)
  if (text === undefined) return kind === 'absent' ? undefined : 'is a link or a folder'
  return text.trim() === '' ? undefined : connectionIn(text, agent)
}

/** Agents that call us from one of their files. `top`: the top of the worktree. */
export function connectedAgents(top: string | undefined, files: FilesPort): AgentName[] {
  const isOn = (agent: AgentName) => (file: string) =>
    isConnected(connectionOf(`${top}/${file}`, agent, files))
  return AGENT_NAMES.filter((agent) => settingsFilesOf(agent).some(isOn(agent)))
}

/** True if something in the file calls us. */
export function isConnected(connection: Connection | string | undefined): connection is Connection {
  if (typeof connection !== 'object') return false
  return connection.connected.length + connection.surplus.length > 0
}
