/**
 * Digests of `events/` trees, kept between runs.
 *
 *     TREE.base    all that a digest says: one line of JSON, then the keys of earlier items, in order
 *     TREE         the tree whose base it grows from, then additions, each a line of JSON
 *
 * A merge adds a few events to a digest of many: it reads the base and writes the additions alone. Keys of
 * earlier items are looked for in the bytes, since a merge asks for few of thousands.
 */

import { utimesSync } from 'node:fs'
import type { Addition, Digest, ItemKeys } from '../../core/ledger/digest.ts'
import { canExtendDigest, condenseDigest, extendDigest } from '../../core/ledger/digest.ts'
import { readNamed, removeOldest, writeNamed } from './cache-files.ts'

const MAX_DIGESTS = { files: 64, bytes: 64 << 20 }
/** Additions to a digest before what they have overtaken is left out. */
const MAX_ADDITIONS = 16

const LF = 10

/** The last one that was read or made. */
interface Known {
  readonly tree: string
  readonly base: string
  /** Lines of JSON. */
  readonly additions: readonly string[]
  /** Seldom asked for again. */
  readonly digest: () => Digest
}

export class DigestFiles {
  readonly #folder: string
  #known: Known | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  read(tree: string): Digest | undefined {
    const [base, ...additions] = readNamed(this.#folder, tree)?.toString('utf8').split('\n') ?? []
    const kept = base === undefined ? undefined : this.#readBase(base)
    if (base === undefined || kept === undefined) return undefined
    const digest = additions.reduce<Digest | undefined>(extended, kept)
    if (digest !== undefined) this.#known = { tree, base, additions, digest: () => digest }
    return digest
  }

  add(tree: string, digest: Digest): void {
    const { earlier, ...others } = digest
    const text = `${JSON.stringify({ ...others, earlier: earlier.size })}\n${keyLines(earlier)}`
    writeNamed(this.#folder, `${tree}.base`, text)
    removeOldest(this.#folder, { ...MAX_DIGESTS, latest: 2 * text.length })
    this.#write({ tree, base: tree, additions: [], digest: () => digest })
  }

  /** `from`: the last one that was read or added. */
  addExtended(tree: string, from: string, { events, problems }: Addition): void {
    if (this.#known?.tree !== from) return
    const { base, digest, additions } = this.#known
    const all = () => extendDigest(digest(), { events, problems })
    if (additions.length >= MAX_ADDITIONS) return this.add(tree, condenseDigest(all()))
    const lines = [...additions, JSON.stringify({ events, problems })]
    touch(`${this.#folder}/${base}.base`)
    this.#write({ tree, base, additions: lines, digest: all })
  }

  #write(known: Known): void {
    this.#known = known
    writeNamed(this.#folder, known.tree, [known.base, ...known.additions].join('\n'))
    removeOldest(this.#folder, { ...MAX_DIGESTS, latest: 0 })
  }

  #readBase(tree: string): Digest | undefined {
    const bytes = readNamed(this.#folder, `${tree}.base`)
    const end = bytes?.indexOf('\n') ?? -1
    if (bytes === undefined || end === -1) return undefined
    const value = parseJson(bytes.toString('utf8', 0, end))
    return isBase(value)
      ? { ...value, earlier: new StoredKeys(bytes.subarray(end + 1), value.earlier) }
      : undefined
  }
}

/** Keys as lines of JSON, in the order of their bytes. */
function keyLines(keys: ItemKeys): string {
  const lines = Array.from(keys, (key) => Buffer.from(JSON.stringify(key)))
  return lines
    .sort((a, b) => a.compare(b))
    .map((line) => `${line.toString()}\n`)
    .join('')
}

/** Keys as `keyLines` writes them. */
class StoredKeys implements ItemKeys {
  readonly size: number
  readonly #bytes: Buffer

  constructor(bytes: Buffer, size: number) {
    this.size = size
    this.#bytes = bytes
  }

  has(key: string): boolean {
    const wanted = Buffer.from(JSON.stringify(key))
    let [from, to] = [0, this.#bytes.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const start = middle === 0 ? 0 : this.#bytes.lastIndexOf(LF, middle - 1) + 1
      const end = this.#bytes.indexOf(LF, middle)
      const order = this.#bytes.subarray(start, end).compare(wanted)
      if (order === 0) return true
      if (order < 0) from = end + 1
      else to = start
    }
    return false
  }

  *[Symbol.iterator](): Generator<string> {
    for (const line of this.#bytes.toString('utf8').split('\n')) {
      if (line !== '') yield JSON.parse(line) as string
    }
  }
}

/** Undefined where a line is no addition, or none to this base: another process may have replaced it. */
function extended(digest: Digest | undefined, line: string): Digest | undefined {
  const addition = parseJson(line)
  if (digest === undefined || !isAddition(addition)) return undefined
  return canExtendDigest(digest, addition.events) ? extendDigest(digest, addition) : undefined
}

function isBase(item: unknown): item is Omit<Digest, 'earlier'> & { earlier: number } {
  const { dropped, earlier, repeated, since } = (item ?? {}) as Record<string, unknown>
  const isStamp = since === undefined || typeof (since as { ts?: unknown } | null)?.ts === 'string'
  const isCounted = typeof dropped === 'number' && typeof earlier === 'number'
  return isAddition(item) && isCounted && isStamp && Array.isArray(repeated)
}

function isAddition(item: unknown): item is Addition {
  const { events, problems } = (item ?? {}) as Partial<Addition>
  return Array.isArray(events) && Array.isArray(problems)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is in use is not the oldest. */
function touch(path: string): void {
  const now = Date.now() / 1000
  try {
    utimesSync(path, now, now)
  } catch {
    // gone, or somebody else's: then it is made anew
  }
}
