/** Plain `status`, for prompts and scripts as for people: without the command-line library and the other commands. */

import { fileURLToPath } from 'node:url'
import { Input } from '../cli/command/command.ts'
import { status } from '../cli/fleet/status.ts'
import { createCliContext, processHost } from '../compose/cli.ts'

/** Undefined where the full parser is needed: help, and whatever may be a mistake. */
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
