/**
 * A git history in memory: blobs, trees, commits and branches, and the queries that a merge makes. Object ids are the
 * same as git's. What is not modelled (reflogs, packs) is never queried.
 */

import { createHash } from 'node:crypto'
import type { GitObject, RevisionReader } from '../../src/app/ports.ts'
import type { LedgerCache } from '../../src/app/ports/ledger-cache.ts'
import type { ObjectFormat, TreeEntry } from '../../src/core/git/objects.ts'
import { decodeCommit, decodeTree, encodeTree, TREE_MODE } from '../../src/core/git/objects.ts'

/** A folder by name: the contents of files, and folders. */
export interface Files {
  readonly [name: string]: string | Uint8Array | Files
}

export class MemoryObjects implements RevisionReader {
  readonly format: ObjectFormat
  readonly refs = new Map<string, string>()
  /** Undefined unless a test sets one. */
  cache: LedgerCache | undefined
  readonly #objects = new Map<string, GitObject>()
  /** In the order of their creation. */
  readonly #commits: string[] = []

  constructor(format: ObjectFormat = 'sha1') {
    this.format = format
  }

  add(type: GitObject['type'], content: Uint8Array): string {
    const head = `${type} ${content.length}\0`
    const oid = createHash(this.format).update(head).update(content).digest('hex')
    this.#objects.set(oid, { oid, type, content })
    return oid
  }

  blob(content: string | Uint8Array): string {
    return this.add('blob', Buffer.from(content))
  }

  tree(files: Files): string {
    const entries = Object.entries(files).map(([name, file]): TreeEntry => {
      const isFile = typeof file === 'string' || file instanceof Uint8Array
      const oid = isFile ? this.blob(file) : this.tree(file)
      return { mode: isFile ? '100644' : TREE_MODE, name, oid }
    })
    return this.add('tree', encodeTree(entries))
  }

  commit(files: Files, ...parents: readonly string[]): string {
    const lines = [`tree ${this.tree(files)}`, ...parents.map((parent) => `parent ${parent}`)]
    const text = `${lines.join('\n')}\ncommitter A <a@b> ${this.#commits.length} +0000\n\nwork\n`
    const oid = this.add('commit', Buffer.from(text))
    this.#commits.push(oid)
    return oid
  }

  read(oid: string): Promise<GitObject | undefined> {
    return Promise.resolve(this.#objects.get(oid))
  }

  /**
   * Resolves `NAME^{commit}` and `NAME:PATH`. A name is a ref or the beginning of an object id; `NAME^2` refers to
   * its second parent.
   */
  async find(expression: string): Promise<GitObject | undefined> {
    const [, name = '', number, path] =
      /^([^:^]+)(?:\^(\d))?(?:\^\{commit\}|:(.*))$/.exec(expression) ?? []
    if (number !== undefined) {
      const parent = (await this.#parents(name))[Number(number) - 1]
      return parent === undefined
        ? parent
        : this.find(`${parent}${expression.slice(`${name}^${number}`.length)}`)
    }
    const start = this.refs.get(name) ?? (/^[0-9a-f]{7,64}$/.test(name) ? name : undefined)
    if (start === undefined) return undefined
    const oid = [...this.#objects.keys()].find((known) => known.startsWith(start))
    const commit = oid === undefined ? undefined : await this.read(oid)
    if (commit?.type !== 'commit') return undefined
    return path === undefined ? commit : this.#below(decodeCommit(commit.content).tree, path)
  }

  close(): void {}

  /** Every best common ancestor. */
  async mergeBases(a: string, b: string): Promise<string[]> {
    const [first, second] = await Promise.all([this.#ancestors(a), this.#ancestors(b)])
    const common = [...first].filter((commit) => second.has(commit))
    const older = await Promise.all(
      common.map(async (commit) => [...(await this.#ancestors(commit))].slice(1)),
    )
    return common.filter((commit) => !older.flat().includes(commit))
  }

  /** Commits, newest first, in which this blob appears or disappears at `path`. */
  async searchHistory(blob: string, path: string): Promise<string[]> {
    const found: string[] = []
    for (const commit of this.#commits.toReversed()) {
      const parents = await this.#parents(commit)
      const has = await Promise.all(
        [commit, ...parents].map(async (one) => (await this.find(`${one}:${path}`))?.oid === blob),
      )
      if (has.some((one) => one !== has[0]) || (parents.length === 0 && has[0] === true))
        found.push(commit)
    }
    return found
  }

  async #below(tree: string, path: string): Promise<GitObject | undefined> {
    let oid = tree
    for (const name of path.split('/').filter((part) => part !== '')) {
      const folder = await this.read(oid)
      const entries = folder?.type === 'tree' ? decodeTree(folder.content, this.format) : []
      const entry = entries.find((one) => one.name === name)
      if (entry === undefined) return undefined
      oid = entry.oid
    }
    return this.read(oid)
  }

  async #parents(commit: string): Promise<string[]> {
    const object = await this.find(`${commit}^{commit}`)
    return object === undefined ? [] : decodeCommit(object.content).parents
  }

  /** The commit itself comes first. */
  async #ancestors(name: string): Promise<Set<string>> {
    const object = await this.find(`${name}^{commit}`)
    if (object === undefined) return new Set()
    const found = new Set([object.oid])
    for (const commit of found) for (const one of await this.#parents(commit)) found.add(one)
    return found
  }
}
