/** Which files of the worktree agents read, and why we keep out of some. */

import { connect, connectionIn } from '../../core/agents/agent-settings.ts'
import type { Connected, Connection } from '../../core/agents/agent-settings.ts'
import type { AgentName } from '../../core/agents/agent-hooks.ts'
import { AGENT_NAMES, AGENTS } from '../../core/agents/agent-hooks.ts'
import type { FilesPort } from '../ports.ts'

/** Texts that Claude Code reads, from the top of the worktree, by their template. */
export const AGENT_TEXTS: Readonly<Record<string, string>> = {
  '.claude/skills/ledger/SKILL.md': 'agents/claude-skill.md',
  // Older releases know no command for a skill; newer ones prefer the skill of that name.
  '.claude/commands/ledger.md': 'agents/claude-command.md',
}

/** The settings files of one agent: the team's, then the one for this clone. */
export function settingsFilesOf(agent: AgentName): string[] {
  const { file, localFile } = AGENTS[agent]
  return localFile === undefined ? [file] : [file, localFile]
}

/** All files that `install --agent` writes for these agents. */
export function filesOf(agents: readonly AgentName[]): string[] {
  const texts = agents.includes('claude') ? Object.keys(AGENT_TEXTS) : []
  return [...agents.flatMap((agent) => settingsFilesOf(agent)), ...texts]
}

export function settingsFiles(): string[] {
  return AGENT_NAMES.flatMap((agent) => settingsFilesOf(agent))
}

/** The file with our hooks in it; a string says why it stays as it is. */
export function connectFile(
  path: string,
  agent: AgentName,
  pieces: readonly string[],
  files: FilesPort,
): Connected | string {
  const kind = files.kind(path)
  if (kind === 'other') return 'is a link or a folder'
  if (kind === 'file' && (files.mode(path) & 0o200) === 0) return 'is read-only'
  const folder = path.slice(0, path.lastIndexOf('/'))
  if (files.kind(folder) === 'file') return 'cannot be made: its folder is a file'
  return connect(kind === 'absent' ? undefined : files.read(path), agent, pieces)
}

/** How one file stands; undefined without a file, a string says why it cannot be told. */
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

/** True where something in the file calls us. */
export function isConnected(connection: Connection | string | undefined): connection is Connection {
  if (typeof connection !== 'object') return false
  return connection.connected.length + connection.surplus.length > 0
}
