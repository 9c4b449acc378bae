/**
 * Object reader over one long-lived `git cat-file --batch` child.
 *
 * Reads everything git can read (SHA-256, alternates, partial clones, quarantine, huge packs), and takes a few
 * milliseconds to start. Requests are answered in order, so they may all be sent at once.
 */

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { GitObject, RevisionReader } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git } from '../process/exec.ts'
import { startError } from '../process/exec.ts'
import { findProgram } from '../process/find-program.ts'

export interface Request {
  readonly name: string
  readonly resolve: (object: GitObject | undefined) => void
  readonly reject: (error: unknown) => void
}

export class CatFileReader implements RevisionReader {
  readonly #git: Git
  #child: ChildProcessWithoutNullStreams | undefined
  #requests: Request[] = []
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes of the answer that is coming in, once they are known. */
  #needed = 0

  constructor(git: Git) {
    this.#git = git
  }

  read(oid: string): Promise<GitObject | undefined> {
    return this.find(oid)
  }

  find(expression: string): Promise<GitObject | undefined> {
    if (expression === '' || /[\n\0]/.test(expression)) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      this.#requests.push({ name: expression, resolve, reject })
      const stdin = this.#start()?.stdin
      if (stdin === undefined) return // reported by 'error'
      // Requests that are made together are sent together.
      stdin.cork()
      stdin.write(`${expression}\n`)
      process.nextTick(() => stdin.uncork())
    })
  }

  close(): void {
    const stdin = this.#child?.stdin
    // Destroyed once everything is sent, not half-closed (`io/process/child-input.ts`).
    stdin?.write('', () => stdin.destroy())
    this.#child = undefined
  }

  #start(): ChildProcessWithoutNullStreams | undefined {
    if (this.#child !== undefined) return this.#child
    const { cwd, env } = this.#git
    const child = spawn(findProgram('git', env), ['cat-file', '--batch'], { cwd, env })
    child.on('error', (error) => this.#fail(startError(error, this.#git.cwd)))
    // At a system limit (EMFILE) Node creates no streams.
    if ((child as Partial<typeof child>).stdin === undefined) return undefined
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    child.stdin.on('error', () => {}) // reported by 'close'
    child.on('close', () => {
      if (this.#child === child) this.#child = undefined
      this.#fail(new LedgerError('GIT_FAILED', `git cat-file ended early: ${stderr.trim()}`))
    })
    this.#child = child
    return child
  }

  #fail(error: Error): void {
    const requests = this.#requests
    this.#requests = []
    this.#chunks = []
    this.#length = 0
    this.#needed = 0
    for (const request of requests) request.reject(error)
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    // A large object is concatenated only once.
    if (this.#length < this.#needed) return
    const isOne = this.#chunks.length === 1
    const buffer = isOne ? chunk : Buffer.concat(this.#chunks)
    let at = 0
    let answer = readAnswer(buffer, at)
    while (answer !== undefined && answer.end <= buffer.length) {
      this.#requests.shift()?.resolve(answer.object)
      at = answer.end
      answer = readAnswer(buffer, at)
    }
    this.#needed = (answer?.end ?? at) - at
    this.#chunks = at === buffer.length ? [] : [buffer.subarray(at)]
    this.#length = buffer.length - at
  }
}

/**
 * The answer of `git cat-file --batch` that begins at `at`, and where the next one begins, perhaps beyond what has
 * arrived. Undefined if not even its first line has arrived. If it has no object, no object has the name.
 */
export function readAnswer(
  output: Buffer,
  at: number,
): { readonly end: number; readonly object?: GitObject } | undefined {
  const lineEnd = output.indexOf(10, at)
  if (lineEnd === -1) return undefined
  // "<oid> <type> <size>", else "<name> missing" or "<name> ambiguous"
  const header = output.toString('latin1', at, lineEnd)
  const found = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(header)
  const start = lineEnd + 1
  if (found === null) return { end: start }
  const [, oid = '', type = '', size] = found
  const end = start + Number(size)
  const object = { oid, type: type as GitObject['type'], content: output.subarray(start, end) }
  return { end: end + 1, object } // the content is followed by a line break
}
