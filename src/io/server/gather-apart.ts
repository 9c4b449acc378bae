/**
 * Gathers the fleet in a separate process: it waits for git, while this process answers pages and Control-C. A thread
 * would not do: a process does not end while one of its threads waits for git.
 */

import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { dirname } from 'node:path'
import type { FleetQuestion, GatherFleet } from '../../app/dashboard/fleet-feed.ts'
import type { ErrorCode } from '../../core/errors/errors.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'

/** What that process is asked for: the fleet, or a look at its files. */
export type ApartQuestion = { readonly fleet: FleetQuestion } | { readonly commonDir: string }

/** What it sends back for each question. `code`: null if it is not an error of ours. */
export type ApartAnswer =
  | { readonly fleet: Fleet }
  | { readonly marks: string }
  | { readonly error: GatherProblem }

interface GatherProblem {
  readonly code: ErrorCode | null
  readonly message: string
  readonly next?: string | undefined
}

const ENDED = 'the process that reads the repository ended'

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
    const answer = await this.#ask({ fleet: question })
    if ('fleet' in answer) return answer.fleet
    const error = 'error' in answer ? errorOf(answer.error) : new Error(ENDED)
    const isWord = error instanceof LedgerError && error.exitCode === 2
    if (isWord || this.#isClosed) throw error
    this.#end()
    // The folder that it ran in may be gone while the repository still exists.
    if (wasThere) return this.gather(question)
    throw error
  }

  /** Undefined if that process ends meanwhile. */
  async marksOf(commonDir: string): Promise<string | undefined> {
    const answer = await this.#ask({ commonDir })
    return 'marks' in answer ? answer.marks : undefined
  }

  /** Ends that process; a question that waits for its answer fails. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #ask(question: ApartQuestion): Promise<ApartAnswer> {
    const child = (this.#child ??= this.#start())
    return new Promise((resolve) => {
      const end = () => answer({ error: { code: null, message: ENDED } })
      const answer = (given: ApartAnswer) => {
        child.off('exit', end).off('message', answer)
        resolve(given)
      }
      child.once('exit', end).once('message', answer)
      child.send(question, (error) => {
        if (error !== null) end()
      })
    })
  }

  #start(): ChildProcess {
    const child = fork(this.#script, this.#folders, {
      cwd: dirname(this.#script),
      env: this.#env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // Whoever waits for an answer is told by the end of the process.
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
