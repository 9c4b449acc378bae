/**
 * Git's object encoding, as far as the ledger needs it: trees, commits and object ids.
 *
 * Names in trees are byte strings. They are kept as "binary" strings (one UTF-16 unit a byte), so a
 * name that is not valid UTF-8 survives and `<` is git's byte order.
 */

import { createHash } from 'node:crypto'

/** The hash of a repository's object ids. */
export type ObjectFormat = 'sha1' | 'sha256'

/** A file name as bytes: one UTF-16 unit a byte. See `nameToText`. */
export type ByteName = string

export interface TreeEntry {
  /** Octal, as git prints it without leading zero: `100644`, `40000`, `120000`, `160000`. */
  readonly mode: string
  readonly name: ByteName
  readonly oid: string
}

export const TREE_MODE = '40000'

export function isRegularFile(mode: string): boolean {
  return mode === '100644' || mode === '100755' || mode === '100664'
}

/** The object id that git gives these bytes. */
export function hashObject(
  type: 'blob' | 'tree',
  content: Uint8Array,
  format: ObjectFormat,
): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex')
}

/** The object format whose ids have this form. */
export function formatOfOid(oid: string): ObjectFormat {
  return oid.length === 64 ? 'sha256' : 'sha1'
}

/** True for the all-zero id that stands for "no object". */
export function isNullOid(oid: string): boolean {
  return /^0+$/.test(oid)
}

/** The tree with no entries: what an absent `events/` counts as. */
export function emptyTreeOid(format: ObjectFormat): string {
  return hashObject('tree', new Uint8Array(), format)
}

/** Parses a tree object's content. */
export function decodeTree(content: Uint8Array, format: ObjectFormat): TreeEntry[] {
  const width = format === 'sha256' ? 32 : 20
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const entries: TreeEntry[] = []
  for (let at = 0; at < buffer.length;) {
    const space = buffer.indexOf(0x20, at)
    const nul = buffer.indexOf(0, space)
    if (space === -1 || nul === -1) throw new RangeError('malformed tree object')
    entries.push({
      mode: buffer.toString('latin1', at, space),
      name: buffer.toString('latin1', space + 1, nul),
      oid: buffer.toString('hex', nul + 1, nul + 1 + width),
    })
    at = nul + 1 + width
  }
  return entries
}

/** Encodes entries, in any order, as a tree object's content. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (sortName(a) < sortName(b) ? -1 : 1))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, oid }) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  )
}

/** A commit's tree and parents. */
export function decodeCommit(content: Uint8Array): { tree: string; parents: string[] } {
  const text = Buffer.from(content).toString('latin1')
  const head = text.slice(0, text.indexOf('\n\n') + 1)
  const tree = /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? ''
  return {
    tree,
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? ''),
  }
}

export function nameToText(name: ByteName): string {
  return Buffer.from(name, 'latin1').toString('utf8')
}

export function textToName(text: string): ByteName {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Git orders a folder as if its name ended with a slash. */
function sortName(entry: TreeEntry): string {
  return entry.mode === TREE_MODE ? `${entry.name}/` : entry.name
}
