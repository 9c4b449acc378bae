/** What an agent asks a memory tool before it continues. The default is the current tools of claude-mem's server. */

import type { Settings } from '../settings/settings.ts'

/** The start of checkpoint titles, by which memory tools find them (`titleOf`). */
const TITLE = 'Context Checkpoint'

const CLAUDE_MEM: readonly string[] = [
  'Get recent context: `session_start_context` of the MCP server `mcp-search`',
  `Search checkpoints: \`search(query="${TITLE}")\``,
  'What led there: `timeline` around the newest result, then `get_observations` for its details',
]

/** A personal setting, kept in git's configuration so that no commit can set it. */
export const MEMORY_KEY = 'ledger.memory'

/** The only tool that can be given texts. */
export const MEMORY_TOOL = 'claude-mem'

/** The port of the tool's worker: one per user, unless the environment specifies another. */
export function memoryPort(env: Readonly<Record<string, string | undefined>>, uid: number): number {
  const named = Number(env['CLAUDE_MEM_WORKER_PORT'] ?? '')
  return Number.isInteger(named) && named > 0 && named < 65_536 ? named : 37_700 + (uid % 100)
}

/** Empty if no memory tool is set. */
export function memoryQueries({
  contextMemory,
  memoryTools,
}: Pick<Settings, 'contextMemory' | 'memoryTools'>): readonly string[] {
  if (contextMemory === 'off') return []
  return memoryTools.length > 0 ? memoryTools : CLAUDE_MEM
}
