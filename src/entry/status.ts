/** Plain `status`, for shell prompts, scripts and people: without the command-line library and the other commands. */

import { fileURLToPath } from 'node:url'
import { Input } from '../cli/command/command.ts'
import { status } from '../cli/fleet/status.ts'
import { createCliContext, processHost } from '../compose/cli.ts'

/** Undefined if the full parser is needed: for help, and for anything that may be a mistake. */
export async function runStatus(words: readonly string[]): Promise<number | undefined> {
  const [option, ...more] = words
  if (more.length > 0 || (option !== undefined && option !== '--json')) return undefined
  const context = createCliContext(fileURLToPath(new URL('..', import.meta.url)), processHost())
  try {
    return (await status.run(new Input(status, { json: option === '--json' }, context))) || 0
  } finally {
    context.close()
  }
}
