/**
 * `ObjectWriter` through git, for objects that no ref points to yet. They are collected until they are many or
 * somebody needs them, and go to git together, as a pack that it unpacks: one call, whatever they are.
 */

import type { ObjectWriter } from '../../app/ports.ts'
import type { ObjectFormat } from '../../core/git/objects.ts'
import { encodeTree, hashObject } from '../../core/git/objects.ts'
import type { Git } from '../process/exec.ts'

/** The most compressed bytes that are collected. */
const MAX_BYTES = 16 * 1024 * 1024
const WHO = 'ledger-git <ledger-git@localhost>'

export function gitObjectWriter(git: Git, format: ObjectFormat): ObjectWriter {
  const waiting = new Map<string, Buffer>()
  let size = 0
  const flush = () => {
    if (waiting.size === 0) return
    const input = packOf([...waiting.values()], format)
    // Not strict: in a partial clone, objects that a tree names may be missing.
    git.outputNow(['unpack-objects', '-q'], { input })
    // What could not be written stays in the queue: an object whose id was handed out is never dropped.
    waiting.clear()
    size = 0
  }
  const put = (type: keyof typeof PACKED, content: Buffer) => {
    const oid = hashObject(type, content, format)
    if (waiting.has(oid)) return oid
    const entry = packed(type, content)
    waiting.set(oid, entry)
    size += entry.length
    if (size > MAX_BYTES) flush()
    return oid
  }
  return {
    blobs: (contents) => contents.map((content) => put('blob', Buffer.from(content as string))),
    tree: (entries) => {
      for (const { name } of entries) refuseBadName(name)
      if (new Set(entries.map(({ name }) => name)).size < entries.length) {
        throw new Error('two entries of one name in a tree')
      }
      return put('tree', encodeTree(entries))
    },
    commit: ({ tree, parents, message, at }) => {
      const who = `${WHO} ${Math.max(0, Math.floor(at / 1000))} +0000`
      const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)]
      const lines = [...head, `author ${who}`, `committer ${who}`, '', message.replace(/\n+$/, '')]
      return put('commit', Buffer.from(`${lines.join('\n')}\n`))
    },
    flush,
  }
}

/** git's type numbers in a pack. */
const PACKED = { commit: 1, tree: 2, blob: 3 }

/** An object as it is stored in a pack: type and length, low bits first, and the compressed content. */
function packed(type: keyof typeof PACKED, content: Buffer): Buffer {
  const { deflateSync } = process.getBuiltinModule('node:zlib')
  const head: number[] = []
  let byte = (PACKED[type] << 4) | (content.length & 15)
  for (let rest = Math.floor(content.length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push(byte | 128)
    byte = rest & 127
  }
  // Git compresses it again, as it is configured to.
  return Buffer.concat([Buffer.from([...head, byte]), deflateSync(content, { level: 1 })])
}

function packOf(entries: readonly Buffer[], format: ObjectFormat): Buffer {
  const { createHash } = process.getBuiltinModule('node:crypto')
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(entries.length, 8)
  const pack = Buffer.concat([head, ...entries])
  return Buffer.concat([pack, createHash(format).update(pack).digest()])
}

/** Names also come from agents; git itself refuses such trees only when it checks them. */
function refuseBadName(name: string): void {
  if (/^(?:\.{0,2}|\.git)$/i.test(name) || /[/\0]/.test(name)) {
    throw new Error(`not a name in a tree: ${JSON.stringify(name)}`)
  }
}
