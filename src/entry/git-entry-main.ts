/** `dist/git-entry.cjs`: what the launcher starts for git and for agents. */

import { keepCompiledCode } from './compiled-code.ts'

async function start(): Promise<void> {
  // The launcher sets the folder. The driver's other words are paths, which are no part of the name.
  const cache = process.env['LEDGER_GIT_CACHE'] ?? ''
  const name = process.argv.slice(2, 5).filter((word) => /^[A-Za-z-]+$/.test(word))
  if (cache !== '') keepCompiledCode(`${cache}/code`, name.join('-'))
  // Agents' hooks run by the hundred, and need little of what git's hooks need.
  if (process.argv[2] === 'agent-hook') await (await import('./agent-hook.ts')).runFromAgent()
  else await (await import('./git-entry.ts')).runFromGit()
  // Everything is written by then, and tearing down the heap is not worth waiting for.
  process.exit()
}

void start()
