/**
 * What a killed git, or a power failure, leaves of refs that only ledger-git moves: a lock that everybody waits for, or
 * a file without a value. git can neither read nor write nor remove such a ref, and `git gc` fails on it. A reftable
 * has neither.
 */

import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenRef } from '../../app/shadow/session-ports.ts'
import { attempt, readRegularFile } from '../files/files.ts'
import { namesBelow } from '../files/left-behind.ts'
import type { Git } from '../process/exec.ts'

/** git holds the lock of a ref for milliseconds; an older lock is nobody's any more. */
const STALE_MS = 60_000
/** Nobody else writes refs below these. */
const OURS = ['refs/ledger/', 'refs/heads/ledger/checkpoints/']
/** Broken refs here are removed: whoever still has what they held saves it again. About a branch, a person decides. */
const PRIVATE = 'refs/ledger/'
const VALID_REF = /^(?:ref: |(?!0+\s)[0-9a-f]{40,64}\s*$)/

/** Removes what keeps git from moving a ref, and returns what it was. */
export async function clearRef(git: Git, name: string): Promise<string | undefined> {
  if (!OURS.some((prefix) => name.startsWith(prefix))) return undefined
  const file = await git.pathOf(name)
  if (isStale(`${file}.lock`) && remove(`${file}.lock`)) return 'a lock was left'
  return name.startsWith(PRIVATE) && removeBroken(file) ? 'said nothing, begins anew' : undefined
}

/** Locks of refs that nobody holds. */
export function staleRefLocks(commonDir: string): string[] {
  const below = (folder: string) => namesBelow(folder).map((name) => join(folder, name))
  return OURS.flatMap((prefix) => below(join(commonDir, prefix)))
    .filter((path) => path.endsWith('.lock') && isStale(path))
    .toSorted()
}

/** Returns the locks that it removed. */
export function removeStaleRefLocks(commonDir: string): string[] {
  return staleRefLocks(commonDir).filter(remove)
}

/** The refs that git calls broken, which it does only in prose. */
export async function brokenRefs(git: Git, prefix: string): Promise<BrokenRef[]> {
  const { stderr } = await git.run(['for-each-ref', '--format=', prefix])
  const found = [...stderr.matchAll(/^warning: ignoring broken ref (\S+)$/gm)]
  return Promise.all(
    found.map(async ([, name = '']) => {
      const log = await git.pathOf(`logs/${name}`)
      const last = attempt(() => readFileSync(log, 'latin1'))
        ?.trimEnd()
        .split('\n')
        .at(-1)
      const commit = /^[0-9a-f]+ ([0-9a-f]+) /.exec(last ?? '')?.[1]
      return { name, file: await git.pathOf(name), last: commit }
    }),
  )
}

function isStale(lock: string): boolean {
  const found = attempt(() => lstatSync(lock))
  return found?.isFile() === true && Date.now() - found.mtimeMs > STALE_MS
}

function remove(path: string): boolean {
  attempt(() => rmSync(path, { force: true }))
  return !existsSync(path)
}

/** Works under git's own lock, so that nobody writes the ref while it is read. */
function removeBroken(file: string): boolean {
  const lock = `${file}.lock`
  try {
    writeFileSync(lock, '', { flag: 'wx' })
  } catch {
    return false
  }
  try {
    const text = attempt(() => readRegularFile(file))?.toString('latin1')
    return text !== undefined && !VALID_REF.test(text) && remove(file)
  } finally {
    remove(lock)
  }
}
