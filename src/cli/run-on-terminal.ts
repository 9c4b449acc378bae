/** Runs a command as its terminal allows: a sign of life while it works, a pager for what is long. */

import { whileBusy } from './busy.ts'
import type { Command } from './command/command.ts'
import { Input } from './command/command.ts'
import type { CliContext } from './command/context.ts'

export async function runOnTerminal(
  command: Command,
  args: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<number> {
  const run = async (inner: CliContext) => (await command.run(new Input(args, inner))) || 0
  const withSign = (inner: CliContext) =>
    command.busyWith === undefined ? run(inner) : whileBusy(command.busyWith, inner, run)
  const isPaged = command.isLong === true && context.isStdoutTty && args['pager'] !== false
  if (!isPaged) return withSign(context)
  const printed: string[] = []
  try {
    return await withSign({ ...context, stdout: (text) => void printed.push(text) })
  } finally {
    const text = printed.join('')
    if (text !== '' && !(await context.page(text))) context.stdout(text)
  }
}
