#!/usr/bin/env node
/**
 * The composition root.
 *
 * Commands that run all day are dispatched before the command-line library loads. Everything that is a separate
 * file in the bundle is imported inside `main`, so that a broken installation ends in a message and a status
 * that the launcher understands, never in Node's own exit 1.
 */

import { keepCompiledCode } from './compiled-code.ts'

/** Not below the temporary folder, which is Node's default: another user could put code there that we would run. */
function cacheFolder({ HOME, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string | undefined {
  // An import would also load one of the bundler's files, which may be what is broken.
  const { existsSync } = process.getBuiltinModule('node:fs')
  if (HOME === undefined || !existsSync(HOME)) return undefined
  return XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : `${HOME}/.cache`
}

/** Commands that git and agents start, through the launcher. */
const STARTED_BY_OTHERS = new Set([
  'merge-driver',
  'handoff-driver',
  'hook',
  'agent-hook',
  'summarize',
  'statusline',
])

async function main(words: readonly string[]): Promise<number> {
  if (process.platform === 'win32') {
    process.stderr.write('ledger-git: Windows is not supported yet; use WSL, Linux or macOS\n')
    return 3
  }
  const isStartedByOthers = STARTED_BY_OTHERS.has(words[0] ?? '')
  if (!isStartedByOthers) {
    const { watchTerminal } = await import('./run-process.ts')
    watchTerminal()
  }
  if (isStartedByOthers || words[0] === 'check') {
    const { runGitEntry } = await import('./git-entry.ts')
    const status = await runGitEntry(words)
    if (status !== undefined) return status
  }
  if (words[0] === 'status') {
    const { runStatus } = await import('./status.ts')
    const status = await runStatus(words.slice(1))
    if (status !== undefined) return status
  }
  const { commandLine } = await import('./command-line.ts')
  return commandLine(words)
}

async function start(): Promise<void> {
  const caches = cacheFolder(process.env)
  if (caches !== undefined) keepCompiledCode(`${caches}/ledger-git/code`, 'command')
  const { runProcess } = await import('./run-process.ts')
  await runProcess(main)
}

start().catch((error: unknown) => {
  // Not even `run-process` could be loaded.
  process.stderr.write(`ledger-git: the installation is broken: ${String(error)}\n`)
  process.exitCode = 70
})
