/**
 * Where trees differ, without decoding what they share: of a ledger's thousands of events a merge changes a few.
 *
 * The trees are read side by side, in git's order; equal stretches are found by comparing bytes.
 */

import type { ByteName, ObjectFormat, TreeEntry } from './objects.ts'
import { oidWidth, sortName } from './objects.ts'

/**
 * Whole entries that all of the trees hold; or what each of them holds under one name, where that is not the same.
 * `order`: the name as git orders it (`sortName`).
 */
export type TreePart =
  | { readonly shared: Uint8Array }
  | { readonly order: ByteName; readonly sides: readonly (TreeEntry | undefined)[] }

/** The parts that these contents of tree objects are made of, in git's order. */
export function* splitTrees(
  contents: readonly Uint8Array[],
  format: ObjectFormat,
): Generator<TreePart> {
  const trees = contents.map((content) => new TreeCursor(content, oidWidth(format)))
  const [first, ...others] = trees
  if (first === undefined) return
  for (;;) {
    const shared = first.wholeEntries(Math.min(...others.map((other) => first.sameBytes(other))))
    if (shared.length > 0) yield { shared }
    for (const tree of trees) tree.skip(shared.length)
    const names = trees.flatMap(({ next }) => (next === undefined ? [] : [sortName(next)]))
    if (names.length === 0) return
    const order = names.reduce((a, b) => (a < b ? a : b))
    yield { order, sides: trees.map((tree) => tree.take(order)) }
  }
}

const [NUL, ZERO] = [0, 0x30]

/** One tree, read from its start to its end. */
class TreeCursor {
  readonly #bytes: Buffer
  readonly #width: number
  #at = 0
  #next: TreeEntry | undefined

  constructor(content: Uint8Array, width: number) {
    this.#bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    this.#width = width
  }

  get next(): TreeEntry | undefined {
    if (this.#at < this.#bytes.length) this.#next ??= this.#decode()
    return this.#next
  }

  /** Goes past the next entry, where git orders it as this name. */
  take(name: ByteName): TreeEntry | undefined {
    const entry = this.next
    if (entry === undefined || sortName(entry) !== name) return undefined
    this.skip(this.#endOfEntry(this.#at) - this.#at)
    return entry
  }

  skip(length: number): void {
    if (length > 0) this.#next = undefined
    this.#at += length
  }

  /** Of how many bytes from here on `other` has the same. */
  sameBytes(other: TreeCursor): number {
    const [x, y] = [this.#bytes.subarray(this.#at), other.#bytes.subarray(other.#at)]
    const length = Math.min(x.length, y.length)
    let same = 0
    const isSame = (step: number): boolean =>
      same + step <= length && x.subarray(same, same + step).equals(y.subarray(same, same + step))
    // In ever greater steps, then in ever smaller ones: most often the next entry tells already.
    let step = 64
    for (; isSame(step); step *= 2) same += step
    for (; step > 0; step >>= 1) if (isSame(step)) same += step
    return same
  }

  /** The whole entries among the next `length` bytes. */
  wholeEntries(length: number): Uint8Array {
    const [start, limit] = [this.#at, this.#at + length]
    let end = start
    // A mode with a leading zero, as old tools wrote it, is an entry to look at.
    while (end < limit && this.#bytes[end] !== ZERO) {
      const next = this.#endOfEntry(end)
      if (next > limit) break
      end = next
    }
    return this.#bytes.subarray(start, end)
  }

  #endOfEntry(at: number): number {
    const end = this.#bytes.indexOf(NUL, at) + 1 + this.#width
    if (end <= at + this.#width || end > this.#bytes.length)
      throw new RangeError('malformed tree object')
    return end
  }

  #decode(): TreeEntry {
    const [start, end] = [this.#at, this.#endOfEntry(this.#at)]
    const nul = end - this.#width - 1
    const [mode = '', name] = splitOnce(this.#bytes.toString('latin1', start, nul))
    if (name === undefined) throw new RangeError('malformed tree object')
    return { mode: mode.replace(/^0/, ''), name, oid: this.#bytes.toString('hex', nul + 1, end) }
  }
}

function splitOnce(text: string): string[] {
  const at = text.indexOf(' ')
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
