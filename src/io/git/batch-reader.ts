/**
 * Object reader for hooks and drivers: one `git cat-file --batch` for all that is asked at once.
 *
 * Requests that are made before anybody waits for an answer go to git together. git ends after each
 * batch, and is waited for: a child that lives on costs Node more to set up than git takes to answer.
 * Answers are kept, so that an object is read once.
 */

import type { GitObject, LedgerCache, Place, RevisionReader } from '../../app/ports.ts'
import { LedgerError } from '../../core/errors.ts'
import { openCache } from '../ledger-cache.ts'
import type { Git } from './exec.ts'
import { isPartialClone, prefetchTree } from './partial-clone.ts'

/** Objects asked for in one batch: bounds the memory that their contents take. */
const MAX_BATCH = 2000

/** What a reader is given besides git. */
export type ReaderHelpers = Pick<RevisionReader, 'cache' | 'prefetch'>

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
  #waiting: Request[] = []

  constructor(git: Git, helpers: ReaderHelpers = {}) {
    this.#git = git
    this.cache = helpers.cache
    if (helpers.prefetch !== undefined) this.prefetch = helpers.prefetch
  }

  read(oid: string): Promise<GitObject | undefined> {
    const known = this.#known.get(oid)
    return known === undefined ? this.find(oid) : Promise.resolve(known)
  }

  find(expression: string): Promise<GitObject | undefined> {
    if (expression === '' || /[\n\0]/.test(expression)) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
      this.#waiting.push({ name: expression, resolve, reject })
    })
  }

  close(): void {}

  #flush(): void {
    const requests = this.#waiting
    this.#waiting = []
    for (let at = 0; at < requests.length; at += MAX_BATCH) {
      const batch = requests.slice(at, at + MAX_BATCH)
      try {
        this.#answer(batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  #answer(batch: readonly Request[]): void {
    const input = batch.map(({ name }) => `${name}\n`).join('')
    const { stdout, status, stderr } = this.#git.runNow(['cat-file', '--batch'], { input })
    let at = 0
    for (const { name, resolve } of batch) {
      const end = stdout.indexOf(10, at)
      if (end === -1)
        throw new LedgerError('GIT_FAILED', `git cat-file failed: ${stderr || status}`)
      const header = stdout.toString('latin1', at, end)
      at = end + 1
      const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(header)
      if (match === null) {
        resolve(undefined) // "<name> missing", "<name> ambiguous"
        continue
      }
      const [, oid = '', type = '', size = ''] = match
      const content = stdout.subarray(at, at + Number(size))
      at += Number(size) + 1
      const object = { oid, type: type as GitObject['type'], content }
      if (type !== 'blob' || name !== oid) this.#known.set(oid, object)
      resolve(object)
    }
  }
}
