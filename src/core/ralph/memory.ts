/** What an agent asks a memory tool before it goes on: the tools of claude-mem's server as they are today. */

import type { Settings } from '../settings/settings.ts'

/** Titles of checkpoints begin so, for memory tools to find them (`titleOf`). */
const TITLE = 'Context Checkpoint'

const CLAUDE_MEM: readonly string[] = [
  'Get recent context: `session_start_context` of the MCP server `mcp-search`',
  `Search checkpoints: \`search(query="${TITLE}")\``,
  'What led there: `timeline` around the newest result, then `get_observations` for its details',
]

/** A personal setting: git's configuration, where no commit brings it. */
export const MEMORY_KEY = 'ledger.memory'

/** The one tool that texts can be given to. */
export const MEMORY_TOOL = 'claude-mem'

/** Where the tool's worker listens: each user has a port, unless the environment says another one. */
export function memoryPort(env: Readonly<Record<string, string | undefined>>, uid: number): number {
  const named = Number(env['CLAUDE_MEM_WORKER_PORT'] ?? '')
  return Number.isInteger(named) && named > 0 && named < 65_536 ? named : 37_700 + (uid % 100)
}

/** None where no memory tool is set. */
export function memoryQueries({
  contextMemory,
  memoryTools,
}: Pick<Settings, 'contextMemory' | 'memoryTools'>): readonly string[] {
  if (contextMemory === 'off') return []
  return memoryTools.length > 0 ? memoryTools : CLAUDE_MEM
}
