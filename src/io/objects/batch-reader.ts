/**
 * Object reader for hooks and drivers: one `git cat-file --batch` for all that is asked at once.
 *
 * Requests that are made before anybody waits for an answer go to git together. git ends after each
 * batch, and is waited for: a child that lives on costs Node more to set up than git takes to answer.
 * Only where very many are asked for, one is started: git then reads while Node parses. Answers are kept,
 * so that an object is read once.
 */

import type { GitObject, LedgerCache, Place, RevisionReader } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors/errors.ts'
import { openCache } from '../cache/ledger-cache.ts'
import { readBatch } from './batch-output.ts'
import type { Git } from '../git/exec.ts'
import { isPartialClone, prefetchTree } from './partial-clone.ts'

/** What a reader is given besides git. */
export type ReaderHelpers = Pick<RevisionReader, 'cache' | 'prefetch'>

/** Objects asked for at once from which on a child that lives on, and a small heap, pay. */
const MANY = 500

/**
 * Most of what many objects are made of on the way is garbage at once. Measured: a young generation
 * that does not grow keeps a check of 10,000 events a sixth smaller, and no slower.
 */
function keepHeapSmall(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1')
}

interface Request {
  readonly name: string
  readonly resolve: (object: GitObject | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The repository's cache, and in a partial clone the means to fetch much at once. */
export function readerHelpers(git: Git, { commonDir }: Place): ReaderHelpers {
  const cache = openCache(commonDir)
  if (!isPartialClone(commonDir)) return { cache }
  return { cache, prefetch: (tree) => prefetchTree(git, tree) }
}

export function openBatchReader(git: Git, place: Place): RevisionReader {
  return new BatchReader(git, readerHelpers(git, place))
}

export class BatchReader implements RevisionReader {
  readonly cache: LedgerCache | undefined
  readonly prefetch?: (tree: string) => Promise<void>
  readonly #git: Git
  readonly #known = new Map<string, GitObject>()
  readonly #ahead: ReadonlyMap<string, GitObject | undefined>
  #waiting: Request[] = []
  #stream: RevisionReader | undefined

  /** `ahead`: answers that are there already, by expression. */
  constructor(
    git: Git,
    helpers: ReaderHelpers = {},
    ahead: ReadonlyMap<string, GitObject | undefined> = new Map(),
  ) {
    this.#git = git
    this.cache = helpers.cache
    if (helpers.prefetch !== undefined) this.prefetch = helpers.prefetch
    this.#ahead = ahead
    for (const object of ahead.values())
      if (object !== undefined) this.#known.set(object.oid, object)
  }

  read(oid: string): Promise<GitObject | undefined> {
    const known = this.#known.get(oid)
    return known === undefined ? this.find(oid) : Promise.resolve(known)
  }

  find(expression: string): Promise<GitObject | undefined> {
    if (this.#ahead.has(expression)) return Promise.resolve(this.#ahead.get(expression))
    if (expression === '' || /[\n\0]/.test(expression)) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
      this.#waiting.push({ name: expression, resolve, reject })
    })
  }

  close(): void {
    this.#stream?.close()
    this.#stream = undefined
  }

  #flush(): void {
    const requests = this.#waiting
    this.#waiting = []
    if (requests.length >= MANY || this.#stream !== undefined) void this.#pass(requests)
    else {
      try {
        this.#answer(requests)
      } catch (error) {
        for (const { reject } of requests) reject(error)
      }
    }
  }

  /** Has the requests answered one after the other, as git gets to them. */
  async #pass(requests: readonly Request[]): Promise<void> {
    try {
      const { CatFileReader } = await import('./cat-file-reader.ts')
      if (this.#stream === undefined) keepHeapSmall()
      const stream = (this.#stream ??= new CatFileReader(this.#git))
      for (const { name, resolve, reject } of requests) stream.find(name).then(resolve, reject)
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }

  #answer(batch: readonly Request[]): void {
    const input = batch.map(({ name }) => `${name}\n`).join('')
    const { stdout, status, stderr } = this.#git.runNow(['cat-file', '--batch'], { input })
    const answers = readBatch(stdout, batch.length)
    if (answers === undefined) {
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
