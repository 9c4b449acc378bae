/** Everything that typed commands need, in one file of the bundle. */

import { fileURLToPath } from 'node:url'
import { runCli } from './cli/cli.ts'
import { createCliContext } from './compose-cli.ts'

export async function commandLine(words: readonly string[]): Promise<number> {
  const context = createCliContext(fileURLToPath(new URL('..', import.meta.url)))
  try {
    return await runCli(words, context)
  } finally {
    context.close()
  }
}
