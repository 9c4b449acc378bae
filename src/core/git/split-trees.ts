/**
 * Finds where trees differ without decoding what they share: a merge changes only a few of a ledger's thousands of
 * events.
 *
 * The trees are read side by side, in git's order; equal ranges are found by comparing bytes.
 */

import type { ByteName, ObjectFormat, TreeEntry } from './objects.ts'
import { decodeTree, oidWidth, sortName } from './objects.ts'

/**
 * Either `shared`: whole entries that all trees have; or `sides`: the entry of each tree for one name, if the trees
 * differ there. `order`: the name as git sorts it (`sortName`).
 */
export type TreePart =
  | { readonly shared: Uint8Array }
  | { readonly order: ByteName; readonly sides: readonly (TreeEntry | undefined)[] }

/** Splits the contents of tree objects into parts, in git's order. Throws a `RangeError` for a malformed tree. */
export function* splitTrees(
  contents: readonly Uint8Array[],
  format: ObjectFormat,
): Generator<TreePart> {
  const trees = contents.map((content) => new TreeCursor(content, format))
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
  readonly #format: ObjectFormat
  #at = 0
  #next: TreeEntry | undefined

  constructor(content: Uint8Array, format: ObjectFormat) {
    this.#bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    this.#format = format
  }

  get next(): TreeEntry | undefined {
    if (this.#next === undefined && this.#at < this.#bytes.length) {
      const entry = this.#bytes.subarray(this.#at, this.#endOfEntry(this.#at))
      this.#next = decodeTree(entry, this.#format)[0]
    }
    return this.#next
  }

  /** Consumes and returns the next entry if it has this sort name; undefined otherwise. */
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

  /** The number of equal bytes in this tree and `other`, from their current positions on. */
  sameBytes(other: TreeCursor): number {
    const [x, y] = [this.#bytes.subarray(this.#at), other.#bytes.subarray(other.#at)]
    const length = Math.min(x.length, y.length)
    let same = 0
    const isSame = (step: number): boolean =>
      same + step <= length && x.subarray(same, same + step).equals(y.subarray(same, same + step))
    // The steps first double, then halve again; usually the next entry already differs.
    let step = 64
    for (; isSame(step); step *= 2) same += step
    for (; step > 0; step >>= 1) if (isSame(step)) same += step
    return same
  }

  /** The whole entries among the next `length` bytes. */
  wholeEntries(length: number): Uint8Array {
    const [start, limit] = [this.#at, this.#at + length]
    let end = start
    // An entry whose mode has a leading zero, as old tools wrote it, must be decoded.
    while (end < limit && this.#bytes[end] !== ZERO) {
      const next = this.#endOfEntry(end)
      if (next > limit) break
      end = next
    }
    return this.#bytes.subarray(start, end)
  }

  #endOfEntry(at: number): number {
    const width = oidWidth(this.#format)
    const end = this.#bytes.indexOf(NUL, at) + 1 + width
    if (end <= at + width || end > this.#bytes.length) throw new RangeError('malformed tree object')
    return end
  }
}
