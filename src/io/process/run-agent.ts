/**
 * Runs one of the user's commands as a separate process group: a prompt in, its output out, signals passed on.
 *
 * Agents start servers, watchers, shells. A group can be killed as a whole, and whatever it leaves running
 * does not keep the loop waiting for the end of its output.
 */

import type { AgentRun } from '../../app/ralph/loop-world.ts'
import type { GroupCommand } from './process-group.ts'
import { ENDINGS, exitStatus, startGroup } from './process-group.ts'

export interface AgentCommand extends GroupCommand {
  /** Milliseconds; undefined: no limit. */
  readonly timeLimit: number | undefined
  readonly onStart?: (pid: number) => void
}

/** The bytes of its output that are kept; all of it is shown. Last words are far shorter. */
const MAX_OUTPUT = 1024 * 1024
/** Milliseconds between asking it to end and killing it. */
const GRACE = 10_000
/** Milliseconds to wait for output after it has ended, from processes that still have the output open. */
const DRAIN = 500

export function runAgent(command: AgentCommand): Promise<AgentRun> {
  const { timeLimit, onStart } = command
  const tail = new Tail()
  const ended = { isInterrupted: false, isLate: false }
  return new Promise((resolve) => {
    const group = startGroup(command, 2)
    const { child } = group
    if (child.pid !== undefined) onStart?.(child.pid)
    const timers: NodeJS.Timeout[] = []
    const askToEnd = (signal: NodeJS.Signals) => {
      group.signal(signal)
      timers.push(setTimeout(() => group.signal('SIGKILL'), GRACE))
    }
    const pass = (signal: NodeJS.Signals) => {
      // A second signal: whoever sends it does not want to wait.
      if (ended.isInterrupted) group.signal('SIGKILL')
      else askToEnd(signal)
      ended.isInterrupted = true
    }
    const others = ENDINGS.map((signal) => [signal, process.listeners(signal)] as const)
    for (const signal of ENDINGS) process.removeAllListeners(signal).on(signal, pass)
    if (timeLimit !== undefined) {
      const late = () => {
        ended.isLate = true
        askToEnd('SIGTERM')
      }
      timers.push(setTimeout(late, Math.min(timeLimit, MAX_TIMER)))
    }
    let isOver = false
    const end = (status: number | undefined) => {
      // A command that could not be started reports the error, and then also closes.
      if (isOver) return
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      // The processes that it started were asked to end as well.
      if (ended.isInterrupted || ended.isLate) group.signal('SIGKILL')
      for (const signal of ENDINGS) process.removeListener(signal, pass)
      for (const [signal, listeners] of others) for (const one of listeners) process.on(signal, one)
      child.stdout?.destroy()
      resolve({ status, output: tail.text(), ...ended })
    }
    child.stdout?.on('data', (part: Buffer) => {
      tail.add(part)
      process.stderr.write(part)
    })
    child.on('error', () => end(undefined))
    child.on('exit', (status, signal) => {
      setTimeout(() => end(exitStatus(status, signal)), DRAIN)
    })
    child.on('close', (status, signal) => end(exitStatus(status, signal)))
  })
}

/** The longest that a timer can wait. */
const MAX_TIMER = 2 ** 31 - 1

class Tail {
  #parts: Buffer[] = []
  #size = 0
  #isCut = false

  add(part: Buffer): void {
    this.#parts.push(part)
    this.#size += part.length
    while (this.#size - (this.#parts[0]?.length ?? 0) > MAX_OUTPUT) {
      this.#size -= this.#parts.shift()?.length ?? 0
      this.#isCut = true
    }
  }

  text(): string {
    const text = Buffer.concat(this.#parts).toString('utf8')
    return this.#isCut ? text.slice(text.indexOf('\n') + 1) : text
  }
}
