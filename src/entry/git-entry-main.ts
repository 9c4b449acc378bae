/** `dist/git-entry.cjs`: what the launcher starts for git and for agents. */

/** What Node 20 has not. */
interface CompileCache {
  enableCompileCache?: (folder: string) => unknown
}

/** Has Node 22 and newer keep what they compile, where the launcher says. */
function keepCompiledCode(cache: string | undefined): void {
  if (cache === undefined || cache === '') return
  const { enableCompileCache } = process.getBuiltinModule('node:module') as CompileCache
  enableCompileCache?.(`${cache}/code`)
}

async function start(): Promise<void> {
  keepCompiledCode(process.env['LEDGER_GIT_CACHE'])
  // The hooks of agents run by the hundred, and need little of what git's need.
  if (process.argv[2] === 'agent-hook') await (await import('./agent-hook.ts')).runFromAgent()
  else await (await import('./git-entry.ts')).runFromGit()
  // Everything is written by then, and taking the heap down is not worth waiting for.
  process.exit()
}

void start()
