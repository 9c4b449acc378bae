/**
 * Gathers the fleet in a process of its own: git is waited for there, while pages, streams and Control-C are
 * answered here. No thread: a process does not end while one of its threads waits for git.
 */

import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { GatherFleet } from '../../app/dashboard/fleet-feed.ts'
import type { ErrorCode } from '../../core/errors/errors.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'

/** What that process sends back for each question. `code`: null for what is no error of ours. */
export type GatherAnswer = { readonly fleet: Fleet } | { readonly error: GatherProblem }

interface GatherProblem {
  readonly code: ErrorCode | null
  readonly message: string
  readonly next?: string | undefined
}

export class GatherApart {
  readonly #script: string
  readonly #folders: readonly string[]
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  #isClosed = false

  /** `script`: what to start, with `folders` as its arguments. */
  constructor(script: string, folders: readonly string[], env: NodeJS.ProcessEnv) {
    this.#script = script
    this.#folders = folders
    this.#env = env
  }

  /** One question at a time. */
  readonly gather: GatherFleet = async (question) => {
    const wasThere = this.#child !== undefined
    const answer = await this.#ask(question)
    if ('fleet' in answer) return answer.fleet
    const error = errorOf(answer.error)
    const isWord = error instanceof LedgerError && error.exitCode === 2
    if (isWord || this.#isClosed) throw error
    this.#end()
    // The folder that it looked from may be gone, and the repository still there.
    if (wasThere) return this.gather(question)
    throw error
  }

  /** A question that waits for its answer fails. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #ask(question: object): Promise<GatherAnswer> {
    const child = (this.#child ??= this.#start())
    const over = new AbortController()
    const end = () => over.abort()
    child.once('exit', end)
    try {
      child.send(question)
      const [answer] = (await once(child, 'message', { signal: over.signal })) as [GatherAnswer]
      return answer
    } catch {
      return { error: { code: null, message: 'the process that reads the repository ended' } }
    } finally {
      child.off('exit', end)
    }
  }

  #start(): ChildProcess {
    const child = fork(this.#script, this.#folders, {
      cwd: dirname(this.#script),
      env: this.#env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // Whoever waits for an answer hears of it by the end of the process.
    child.on('error', () => {})
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    return child
  }
}

function errorOf({ code, message, next }: GatherProblem): Error {
  return code === null ? new Error(message) : new LedgerError(code, message, next)
}
