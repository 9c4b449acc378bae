/** Runs a command as a separate process group, which can be killed as a whole. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { closeChildInput, openChildInput } from './child-input.ts'

export interface GroupCommand {
  readonly words: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly input: string
}

export interface Group {
  readonly child: ChildProcess
  /** Also reaches the processes that the command started, if they still exist. */
  signal(signal: NodeJS.Signals): void
}

/** `errors`: where its standard error goes. */
export function startGroup(command: GroupCommand, errors: 'ignore' | 'pipe' | 2): Group {
  const { words, folder, env, input } = command
  const [program = '', ...args] = words
  const stdin = openChildInput(input)
  const stdio = [stdin, 'pipe' as const, errors]
  const child = spawn(program, args, { cwd: folder, env, stdio, detached: true })
  closeChildInput(stdin)
  // The command may end without reading its input.
  child.stdin?.on('error', () => {}).end(input)
  const signal = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // none is left
    }
  }
  return { child, signal }
}

/** Ctrl-C, a closed terminal, `kill`: a separate group gets none of them from the terminal. */
export const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Kills the group when this process is told to end, until the returned function is called. */
export function killOnSignal(group: Group): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    group.signal('SIGKILL')
    stop()
    process.kill(process.pid, signal)
  }
  const stop = () => {
    for (const signal of ENDINGS) process.off(signal, onSignal)
  }
  for (const signal of ENDINGS) process.on(signal, onSignal)
  return stop
}

/** The status that a shell would report: 128 plus the signal's number if the process was killed. */
export function exitStatus(status: number | null, signal: NodeJS.Signals | null): number {
  return status ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
