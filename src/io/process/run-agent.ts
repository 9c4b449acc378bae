/** A command of the user's as a process of its own: a prompt in, its words out, signals passed on. */

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { closeChildInput, openChildInput } from './child-input.ts'

export interface AgentCommand {
  readonly words: readonly string[]
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly input: string
}

export interface AgentAnswer {
  /** Undefined where it could not be started. */
  readonly status: number | undefined
  /** The end of its standard output, in whole lines. All of it is shown as talk. */
  readonly output: string
  readonly isInterrupted: boolean
}

/** Last words are far shorter. */
const MAX_OUTPUT = 1024 * 1024

const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const

/** Control-C reaches the command by the terminal; what it leaves behind is looked at before we end. */
export function runAgent({ words, folder, env, input }: AgentCommand): Promise<AgentAnswer> {
  const [program = '', ...args] = words
  const stdin = openChildInput(input)
  const tail = new Tail()
  let isInterrupted = false
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env, stdio: [stdin, 'pipe', 2] })
    const interrupt = () => {
      // Twice: whoever asks does not want to wait.
      if (isInterrupted) child.kill('SIGKILL')
      isInterrupted = true
    }
    const pass = (signal: NodeJS.Signals) => {
      isInterrupted = true
      child.kill(signal)
    }
    const others = process.listeners('SIGINT')
    process.removeAllListeners('SIGINT').on('SIGINT', interrupt)
    for (const signal of PASSED_ON) process.on(signal, pass)
    let isOver = false
    const end = (status: number | undefined) => {
      // One that could not be started says so, and closes besides.
      if (isOver) return
      isOver = true
      process.removeAllListeners('SIGINT')
      for (const other of others) process.on('SIGINT', other)
      for (const signal of PASSED_ON) process.removeListener(signal, pass)
      closeChildInput(stdin)
      resolve({ status, output: tail.text(), isInterrupted })
    }
    child.stdout?.on('data', (part: Buffer) => {
      tail.add(part)
      process.stderr.write(part)
    })
    // It may end without reading its prompt.
    child.stdin?.on('error', () => {}).end(input)
    child.on('error', () => end(undefined))
    child.on('close', (status, signal) => {
      isInterrupted ||= signal === 'SIGINT'
      end(status ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

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
