/**
 * Object reader over one long-lived `git cat-file --batch` child.
 *
 * Reads everything git can read (SHA-256, alternates, partial clones, quarantine, huge packs) at a few
 * milliseconds of start. Requests are answered in order, so they may be sent all at once.
 */

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import type { GitObject, LedgerCache, RevisionReader } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git } from '../process/exec.ts'
import { startError } from '../process/exec.ts'

interface Request {
  readonly name: string
  readonly resolve: (object: GitObject | undefined) => void
  readonly reject: (error: Error) => void
}

/** What the child's output is expected to continue with. */
type Expected =
  | { readonly kind: 'header' }
  | { readonly kind: 'content'; readonly oid: string; readonly type: string; readonly size: number }

/** What a reader is given besides git. */
export type ReaderHelpers = Pick<RevisionReader, 'cache' | 'prefetch'>

export class CatFileReader implements RevisionReader {
  readonly cache: LedgerCache | undefined
  readonly prefetch?: (tree: string) => Promise<void>
  readonly #git: Git
  #child: ChildProcessWithoutNullStreams | undefined
  #requests: Request[] = []
  #expected: Expected = { kind: 'header' }
  #chunks: Buffer[] = []
  #length = 0

  constructor(git: Git, helpers: ReaderHelpers = {}) {
    this.#git = git
    this.cache = helpers.cache
    if (helpers.prefetch !== undefined) this.prefetch = helpers.prefetch
  }

  read(oid: string): Promise<GitObject | undefined> {
    return this.find(oid)
  }

  find(expression: string): Promise<GitObject | undefined> {
    if (expression === '' || /[\n\0]/.test(expression)) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      this.#requests.push({ name: expression, resolve, reject })
      const { stdin } = this.#start()
      // What is asked for together is sent together.
      stdin.cork()
      stdin.write(`${expression}\n`)
      process.nextTick(() => stdin.uncork())
    })
  }

  close(): void {
    const stdin = this.#child?.stdin
    // Closed once all is sent, not half-closed (`io/process/child-input.ts`).
    stdin?.write('', () => stdin.destroy())
    this.#child = undefined
  }

  #start(): ChildProcessWithoutNullStreams {
    if (this.#child !== undefined) return this.#child
    const child = spawn('git', ['cat-file', '--batch'], { cwd: this.#git.cwd, env: this.#git.env })
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    child.stdin.on('error', () => {}) // reported by 'close'
    child.on('error', (error) => this.#fail(startError(error)))
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
    this.#expected = { kind: 'header' }
    this.#chunks = []
    this.#length = 0
    for (const request of requests) request.reject(error)
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#expected.kind === 'header' ? this.#takeHeader() : this.#takeContent());
  }

  #takeHeader(): boolean {
    const last = this.#chunks.at(-1)
    if (last === undefined || (this.#chunks.length > 1 && !last.includes(10))) return false
    const buffer = this.#joined()
    const end = buffer.indexOf(10)
    if (end === -1) return false
    const header = buffer.toString('utf8', 0, end)
    this.#keep(buffer.subarray(end + 1))
    const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(header)
    if (match === null) {
      this.#requests.shift()?.resolve(undefined) // "<name> missing", "<name> ambiguous"
      return true
    }
    const [, oid = '', type = '', size] = match
    this.#expected = { kind: 'content', oid, type, size: Number(size) }
    return true
  }

  #takeContent(): boolean {
    if (this.#expected.kind !== 'content' || this.#length <= this.#expected.size) return false
    const { oid, type, size } = this.#expected
    const buffer = this.#joined()
    this.#expected = { kind: 'header' }
    this.#keep(buffer.subarray(size + 1)) // the content is followed by a line break
    const content = buffer.subarray(0, size)
    this.#requests.shift()?.resolve({ oid, type: type as GitObject['type'], content })
    return true
  }

  #joined(): Buffer {
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#length = rest.length
  }
}
