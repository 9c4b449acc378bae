/** Everything that typed commands need. It is a separate file in the bundle, which tests use to run commands. */

import { fileURLToPath } from 'node:url'
import { runCli } from '../cli/cli.ts'
import type { Host } from '../compose/cli.ts'
import { createCliContext, processHost } from '../compose/cli.ts'
import { reportError } from './run-process.ts'

/** Throws what the command throws. */
export async function commandLine(words: readonly string[], host = processHost()): Promise<number> {
  const context = createCliContext(fileURLToPath(new URL('..', import.meta.url)), host)
  try {
    return await runCli(words, context)
  } finally {
    context.close()
  }
}

/** Runs as a separate process would: prints errors, and returns the exit status. */
export async function runCommand(words: readonly string[], host: Host): Promise<number> {
  try {
    return await commandLine(words, host)
  } catch (error) {
    return reportError(error, host.stderr)
  }
}

/** For the build, which generates the man pages from it. */
export { TABLE } from '../cli/cli.ts'
