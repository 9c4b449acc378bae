/**
 * Git's object encoding, as far as the ledger needs it: trees, commits and object ids.
 *
 * Names in trees are byte strings. They are kept as "binary" strings (one UTF-16 unit per byte), so that names that
 * are not valid UTF-8 survive, and `<` gives git's byte order.
 */

import { createHash } from 'node:crypto'

/** The hash of a repository's object ids. */
export type ObjectFormat = 'sha1' | 'sha256'

/** A file name as bytes: one UTF-16 unit per byte. See `nameToText`. */
export type ByteName = string & { readonly isText?: false }

/** A path for people and for program arguments, which get encoded again. The compiler rejects a `ByteName` here. */
export type PathText = string & { readonly isText?: true }

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

/** The object id of these bytes in git. */
export function hashObject(
  type: 'blob' | 'tree' | 'commit',
  content: Uint8Array,
  format: ObjectFormat,
): string {
  return createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex')
}

/** Length of an object id in bytes. */
export function oidWidth(format: ObjectFormat): number {
  return format === 'sha256' ? 32 : 20
}

/** The object format of an id, judged by its length. */
export function formatOfOid(oid: string): ObjectFormat {
  return oid.length === 64 ? 'sha256' : 'sha1'
}

/** True for the all-zero id that stands for "no object". */
export function isNullOid(oid: string): boolean {
  return /^0+$/.test(oid)
}

const EMPTY_TREE = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** The id of the empty tree, which also stands for a missing `events/`. */
export function emptyTreeOid(format: ObjectFormat): string {
  return EMPTY_TREE[format]
}

/** Parses a tree object's content. The result is in git's order. Throws a `RangeError` for a malformed tree. */
export function decodeTree(content: Uint8Array, format: ObjectFormat): TreeEntry[] {
  const width = oidWidth(format)
  // Entries are sliced from two strings for the whole tree: ten times as fast as converting them one by one.
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const [text, hex] = [buffer.toString('latin1'), buffer.toString('hex')]
  const entries: TreeEntry[] = []
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(' ', at)
    const nul = text.indexOf('\0', space)
    const end = nul + 1 + width
    if (space === -1 || nul === -1 || end > text.length)
      throw new RangeError('malformed tree object')
    const oid = hex.slice(2 * nul + 2, 2 * end)
    // Some old tools wrote a folder's mode with a leading zero.
    if (text[at] === '0') at += 1
    entries.push({ mode: text.slice(at, space), name: text.slice(space + 1, nul), oid })
    at = end
  }
  return inGitOrder(entries)
}

/** Encodes entries, in any order, as a tree object's content. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = inGitOrder(entries)
  const ids = Buffer.from(sorted.map(({ oid }) => oid).join(''), 'hex').toString('latin1')
  const width = sorted.length === 0 ? 0 : ids.length / sorted.length
  const parts = sorted.map(
    ({ mode, name }, i) => `${mode} ${name}\0${ids.slice(i * width, (i + 1) * width)}`,
  )
  return Buffer.from(parts.join(''), 'latin1')
}

/** Splits entries named by paths: `direct` are in the folder itself, `below` are in its subfolders, by their names. */
export function splitFolders(entries: readonly TreeEntry[]) {
  const direct: TreeEntry[] = []
  const below = new Map<ByteName, TreeEntry[]>()
  for (const { mode, name: path, oid } of entries) {
    const slash = path.indexOf('/')
    const folder = path.slice(0, Math.max(0, slash))
    const entry = { mode, name: path.slice(slash + 1), oid }
    if (slash === -1) direct.push(entry)
    else below.set(folder, [...(below.get(folder) ?? []), entry])
  }
  return { direct, below }
}

/** Entries are usually in order already, and are then not sorted. */
function inGitOrder<T extends readonly TreeEntry[]>(entries: T): T | TreeEntry[] {
  for (let i = 1; i < entries.length; i++) {
    const [before, entry] = [entries[i - 1] as TreeEntry, entries[i] as TreeEntry]
    const hasFolder = before.mode === TREE_MODE || entry.mode === TREE_MODE
    if (hasFolder ? sortName(before) > sortName(entry) : before.name > entry.name) {
      return entries.toSorted((a, b) => (sortName(a) < sortName(b) ? -1 : 1))
    }
  }
  return entries
}

/** A commit's tree and parents. `committedAt`: Unix time in seconds. */
export function decodeCommit(content: Uint8Array): {
  tree: string
  parents: string[]
  committedAt: number
} {
  const text = Buffer.from(content).toString('latin1')
  const head = text.slice(0, text.indexOf('\n\n') + 1)
  const tree = /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? ''
  return {
    tree,
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? ''),
    committedAt: Number(/^committer .* (\d+) [+-]\d+$/m.exec(head)?.[1] ?? 0),
  }
}

/** Decodes a byte name as UTF-8. Not reversible if the bytes are not valid UTF-8. */
export function nameToText(name: ByteName): string {
  return /[\u0080-\u00ff]/.test(name) ? Buffer.from(name, 'latin1').toString('utf8') : name
}

/** Encodes a text as UTF-8 bytes. */
export function textToName(text: string): ByteName {
  return /[\u0080-\uffff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** The name by which git sorts an entry: a folder is sorted as if its name ended with a slash. */
export function sortName(entry: TreeEntry): string {
  return entry.mode === TREE_MODE ? `${entry.name}/` : entry.name
}
