/** Runs a command as its terminal allows: a sign of life while it works, a pager for what is long. */

import type { Command } from './command/command.ts'
import { Input } from './command/command.ts'
import type { CliContext } from './command/context.ts'

const SECOND = 1000
/** Logs are not to be filled. */
const QUIET_SECONDS = 5

export async function runOnTerminal(
  command: Command,
  args: Readonly<Record<string, unknown>>,
  context: CliContext,
): Promise<number> {
  const run = async (inner: CliContext) => (await command.run(new Input(command, args, inner))) || 0
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

/**
 * A sign of life from what takes long: on a terminal at once, else one line later. `action` gets a context through
 * which what is said and asked comes on lines of its own.
 */
export async function whileBusy<T>(
  what: string,
  context: CliContext,
  action: (context: CliContext) => Promise<T>,
): Promise<T> {
  const { draw } = context
  const start = context.clock.now()
  // Before the work, which may let no timer run for seconds.
  draw?.(`${what} …`)
  let isDrawn = draw !== undefined
  let isAsking = false
  let isSaid = false
  const clear = () => {
    if (isDrawn) draw?.('')
    isDrawn = false
  }
  const tick = () => {
    const seconds = Math.round((context.clock.now() - start) / SECOND)
    if (isAsking) return
    if (draw !== undefined) {
      draw(`${what} … ${seconds} s`)
      isDrawn = true
    } else if (!isSaid && seconds >= QUIET_SECONDS) {
      context.stderr(`ledger-git: ${what} …\n`)
      isSaid = true
    }
  }
  const timer = setInterval(tick, SECOND)
  timer.unref()
  try {
    return await action({
      ...context,
      stdout: (text) => {
        clear()
        context.stdout(text)
      },
      stderr: (text) => {
        clear()
        context.stderr(text)
      },
      ask: async (question) => {
        clear()
        isAsking = true
        try {
          return await context.ask(question)
        } finally {
          isAsking = false
        }
      },
    })
  } finally {
    clearInterval(timer)
    clear()
  }
}
