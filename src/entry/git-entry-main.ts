/** `dist/git-entry.cjs`: what the launcher starts for git and for agents. */

import { keepCompiledCode } from './compiled-code.ts'

async function start(): Promise<void> {
  // The launcher says where.
  const cache = process.env['LEDGER_GIT_CACHE'] ?? ''
  if (cache !== '') keepCompiledCode(`${cache}/code`)
  // The hooks of agents run by the hundred, and need little of what git's need.
  if (process.argv[2] === 'agent-hook') await (await import('./agent-hook.ts')).runFromAgent()
  else await (await import('./git-entry.ts')).runFromGit()
  // Everything is written by then, and taking the heap down is not worth waiting for.
  process.exit()
}

void start()
