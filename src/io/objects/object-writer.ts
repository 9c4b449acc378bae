/** `ObjectWriter` through git: objects that no ref names yet. */

import type { ObjectWriter } from '../../app/shadow/session-ports.ts'
import { encodeTree } from '../../core/git/objects.ts'
import type { Git } from '../process/exec.ts'

/** Bytes that are given to git at once. */
const BATCH = 64 * 1024 * 1024
const WHO = { NAME: 'ledger-git', EMAIL: 'ledger-git@localhost' }

export function gitObjectWriter(git: Git): ObjectWriter {
  const writeBatch = async (contents: readonly Buffer[]) => {
    if (contents.length === 1) {
      return [await git.text(['hash-object', '-w', '--stdin'], { input: contents[0] })]
    }
    // fast-import reads any bytes, many of them, and ends as loose objects or, of many, one pack.
    const parts = contents.flatMap((content, i) => [
      Buffer.from(`blob\nmark :${i + 1}\ndata ${content.length}\n`),
      content,
      Buffer.from(`\nget-mark :${i + 1}\n`),
    ])
    const input = Buffer.concat([...parts, Buffer.from('done\n')])
    return (await git.text(['fast-import', '--quiet', '--done'], { input })).split('\n')
  }
  return {
    blobs: async (contents) => {
      const oids: string[] = []
      for (const batch of inBatches(contents.map((content) => Buffer.from(content as string)))) {
        oids.push(...(await writeBatch(batch)))
      }
      return oids
    },
    tree: async (entries) => {
      for (const { name } of entries) refuseBadName(name)
      if (new Set(entries.map(({ name }) => name)).size < entries.length) {
        throw new Error('two entries of one name in a tree')
      }
      // Not mktree: it insists on having every entry, which a partial clone does not.
      const args = ['hash-object', '-t', 'tree', '-w', '--stdin']
      return git.text(args, { input: encodeTree(entries) })
    },
    commit: async ({ tree, parents, message, at }) => {
      // Configuration about encodings would add a header, about signing a signature.
      const command = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', '--no-gpg-sign']
      const args = [...command, ...parents.flatMap((parent) => ['-p', parent]), tree]
      const input = `${message.replace(/\n+$/, '')}\n`
      return git.text(args, { input, env: identityAt(at) })
    },
  }
}

function identityAt(at: number): Record<string, string> {
  const date = `@${Math.max(0, Math.floor(at / 1000))} +0000`
  const { NAME, EMAIL } = WHO
  return Object.fromEntries(
    ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((who) => [
      [`${who}_NAME`, NAME],
      [`${who}_EMAIL`, EMAIL],
      [`${who}_DATE`, date],
    ]),
  ) as Record<string, string>
}

function* inBatches(contents: readonly Buffer[]): Generator<Buffer[]> {
  let batch: Buffer[] = []
  let size = 0
  for (const content of contents) {
    if (batch.length > 0 && size + content.length > BATCH) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(content)
    size += content.length
  }
  if (batch.length > 0) yield batch
}

/** Names come from agents too; git itself refuses such trees only when it checks them. */
function refuseBadName(name: string): void {
  if (/^(?:\.{0,2}|\.git)$/i.test(name) || /[/\0]/.test(name)) {
    throw new Error(`not a name in a tree: ${JSON.stringify(name)}`)
  }
}
