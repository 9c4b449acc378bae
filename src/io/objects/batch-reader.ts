/**
 * Object reader for hooks, drivers and commands: one `git cat-file --batch` for everything that is requested at once.
 *
 * Requests that are made before anybody waits for an answer go to git together. git ends after each batch, and is
 * waited for: a long-lived child takes Node longer to set up than git takes to answer. A long-lived child is started
 * for callers that ask again and again, as when a history is walked, and if very many objects are requested: git then
 * reads while Node parses. A batch's answers are kept, so that an object is read once.
 */

import type { GitObject, RevisionReader } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git } from '../process/exec.ts'
import type { Request } from './cat-file-reader.ts'
import { CatFileReader, readAnswer } from './cat-file-reader.ts'

/** The number of batches after which a long-lived child pays off. */
const SEVERAL = 4
/** The number of requested objects from which on a long-lived child and a small heap pay off. */
const MANY = 1500

/**
 * Most of what is allocated while reading many objects becomes garbage at once. Measured: if the young generation
 * does not grow, a check of 10,000 events takes a sixth less memory, and is no slower; if the old generation at most
 * doubles before it is collected, a check of 100,000 events takes a fifth less.
 */
function keepHeapSmall(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}

/** Objects that are already read, by id and by the name under which they were requested; undefined if there is none. */
export type PrefetchedObjects = ReadonlyMap<string, GitObject | undefined>

const NOTHING: PrefetchedObjects = new Map()

export class BatchReader implements RevisionReader {
  readonly #git: Git
  readonly #prefetched: () => PrefetchedObjects
  readonly #known = new Map<string, GitObject>()
  #waiting: Request[] = []
  /** Answers to what is waiting, by name: nothing is requested twice. */
  readonly #answers = new Map<string, Promise<GitObject | undefined>>()
  #batches = 0
  #asked = 0
  #stream: RevisionReader | undefined

  constructor(git: Git, prefetched: () => PrefetchedObjects = () => NOTHING) {
    this.#git = git
    this.#prefetched = prefetched
  }

  read(oid: string): Promise<GitObject | undefined> {
    const known = this.#known.get(oid)
    return known === undefined ? this.find(oid) : Promise.resolve(known)
  }

  find(expression: string): Promise<GitObject | undefined> {
    if (expression === '' || /[\n\0]/.test(expression)) return Promise.resolve(undefined)
    const prefetched = this.#prefetched()
    if (prefetched.has(expression)) return Promise.resolve(prefetched.get(expression))
    const asked = this.#answers.get(expression)
    if (asked !== undefined) return asked
    const answer = new Promise<GitObject | undefined>((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
      this.#waiting.push({ name: expression, resolve, reject })
    })
    this.#answers.set(expression, answer)
    return answer
  }

  close(): void {
    this.#stream?.close()
    this.#stream = undefined
  }

  #flush(): void {
    const requests = this.#waiting
    this.#waiting = []
    this.#answers.clear()
    this.#batches += 1
    const wasSmall = this.#asked < MANY
    this.#asked += requests.length
    if (wasSmall && this.#asked >= MANY) keepHeapSmall()
    try {
      if (this.#batches > SEVERAL || this.#asked >= MANY) this.#pass(requests)
      else this.#answer(requests)
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }

  /** Passes the requests on to a long-lived child, which answers them one after the other. */
  #pass(requests: readonly Request[]): void {
    const stream = (this.#stream ??= new CatFileReader(this.#git))
    for (const { name, resolve, reject } of requests) stream.find(name).then(resolve, reject)
  }

  #answer(batch: readonly Request[]): void {
    const input = batch.map(({ name }) => `${name}\n`).join('')
    const { stdout, status, stderr } = this.#git.runNow(['cat-file', '--batch'], { input })
    const answers = readBatch(stdout)
    if (answers?.length !== batch.length) {
      throw new LedgerError('GIT_FAILED', `git cat-file failed: ${stderr || status}`)
    }
    batch.forEach(({ resolve }, i) => {
      const object = answers[i]
      // Blobs are not kept: they are many, and read once.
      if (object !== undefined && object.type !== 'blob') this.#known.set(object.oid, object)
      resolve(object)
    })
  }
}

/**
 * Splits the output of `git cat-file --batch` into one answer per request, in order. Undefined if it ends too early;
 * an answer is undefined if there is no such object.
 */
export function readBatch(output: Buffer): readonly (GitObject | undefined)[] | undefined {
  const answers: (GitObject | undefined)[] = []
  // The line break after the last content may be missing.
  for (let at = 0; at < output.length;) {
    const answer = readAnswer(output, at)
    if (answer === undefined || answer.end > output.length + 1) return undefined
    answers.push(answer.object)
    at = answer.end
  }
  return answers
}
