/** Everything that typed commands need: a file of its own in the bundle, which tests run commands by. */

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

/** As in a process of its own: errors are printed, and the answer is the exit status. */
export async function runCommand(words: readonly string[], host: Host): Promise<number> {
  try {
    return await commandLine(words, host)
  } catch (error) {
    return reportError(error, host.stderr)
  }
}

/** For the build, which makes the man pages from it. */
export { TABLE } from '../cli/cli.ts'
