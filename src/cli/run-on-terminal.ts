/** Runs a command with what the terminal allows: progress while it works, a pager for long output. */

import type { Command } from './command/command.ts'
import { Input } from './command/command.ts'
import type { CliContext } from './command/context.ts'

const SECOND = 1000
/** Without a terminal, progress is reported once, after this time, so that logs do not fill up. */
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
 * Shows progress during slow work: at once on a terminal, otherwise in one line a few seconds later. `action` gets
 * a context that clears the progress line before it prints or asks.
 */
export async function whileBusy<T>(
  what: string,
  context: CliContext,
  action: (context: CliContext) => Promise<T>,
): Promise<T> {
  const { draw } = context
  const start = context.clock.now()
  // Drawn before the work starts, which may keep timers from running for seconds.
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
