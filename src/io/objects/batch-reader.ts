/**
 * Object reader for hooks, drivers and commands: one `git cat-file --batch` for all that is asked at once.
 *
 * Requests that are made before anybody waits for an answer go to git together. git ends after each
 * batch, and is waited for: a child that lives on costs Node more to set up than git takes to answer.
 * One is started for whoever asks again and again, as when a history is walked, and where very many are
 * asked for: git then reads while Node parses. A batch's answers are kept, so that an object is read once.
 */

import type { GitObject, RevisionReader } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import type { Git } from '../process/exec.ts'
import type { Request } from './cat-file-reader.ts'
import { CatFileReader, readAnswer } from './cat-file-reader.ts'

/** Batches after which a child that lives on pays. */
const SEVERAL = 4
/** Objects asked for from which on it does, and a small heap. */
const MANY = 1500

/**
 * Most of what many objects are made of on the way is garbage at once. Measured: a young generation
 * that does not grow keeps a check of 10,000 events a sixth smaller, and no slower; an old one that at most
 * doubles before it is looked through keeps one of 100,000 a fifth smaller.
 */
function keepHeapSmall(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}

/** Objects that were read already, by ids and by the names under which they were asked for; undefined where there is none. */
export type ToldObjects = ReadonlyMap<string, GitObject | undefined>

const NOTHING: ToldObjects = new Map()

export class BatchReader implements RevisionReader {
  readonly #git: Git
  readonly #told: () => ToldObjects
  readonly #known = new Map<string, GitObject>()
  #waiting: Request[] = []
  /** Answers to what is waiting, by name: nothing is asked for twice. */
  readonly #answers = new Map<string, Promise<GitObject | undefined>>()
  #batches = 0
  #asked = 0
  #stream: RevisionReader | undefined

  constructor(git: Git, told: () => ToldObjects = () => NOTHING) {
    this.#git = git
    this.#told = told
  }

  read(oid: string): Promise<GitObject | undefined> {
    const known = this.#known.get(oid)
    return known === undefined ? this.find(oid) : Promise.resolve(known)
  }

  find(expression: string): Promise<GitObject | undefined> {
    if (expression === '' || /[\n\0]/.test(expression)) return Promise.resolve(undefined)
    const told = this.#told()
    if (told.has(expression)) return Promise.resolve(told.get(expression))
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

  /** Has the requests answered one after the other, as git gets to them. */
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
      // Blobs are many, and read once.
      if (object !== undefined && object.type !== 'blob') this.#known.set(object.oid, object)
      resolve(object)
    })
  }
}

/**
 * Cuts up the output of `git cat-file --batch`: one answer a request, in order. Undefined where it ends too early;
 * an answer is undefined when there is no such object.
 */
export function readBatch(output: Buffer): readonly (GitObject | undefined)[] | undefined {
  const answers: (GitObject | undefined)[] = []
  // The line break after the last content says nothing.
  for (let at = 0; at < output.length;) {
    const answer = readAnswer(output, at)
    if (answer === undefined || answer.end > output.length + 1) return undefined
    answers.push(answer.object)
    at = answer.end
  }
  return answers
}
