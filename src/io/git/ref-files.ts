/**
 * What a git that was killed, and a loss of power, leave of refs that ledger-git alone moves: a lock for which
 * everybody waits, and a file that says nothing. Git neither reads nor writes nor removes such a ref, and
 * `git gc` fails at it. A reftable has neither.
 */

import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BrokenRef } from '../../app/shadow/session-ports.ts'
import { attempt, readRegularFile } from '../files/files.ts'
import { namesBelow } from '../files/left-behind.ts'
import type { Git } from '../process/exec.ts'

/** Git holds the lock of a ref for milliseconds; this one is nobody's any more. */
const STALE_MS = 60_000
/** In one of these nobody else writes. */
const OURS = ['refs/ledger/', 'refs/heads/ledger/checkpoints/']
/** What was in them is saved anew by whoever has it still; of a branch a person decides. */
const PRIVATE = 'refs/ledger/'
const SAYS_SOMETHING = /^(?:ref: |(?!0+\s)[0-9a-f]{40,64}\s*$)/

/** Takes away what keeps git from moving a ref; says what it was. */
export async function clearRef(git: Git, name: string): Promise<string | undefined> {
  if (!OURS.some((prefix) => name.startsWith(prefix))) return undefined
  const file = await gitPath(git, name)
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

/** Says which it removed. */
export function removeStaleRefLocks(commonDir: string): string[] {
  return staleRefLocks(commonDir).filter(remove)
}

/** Git says so in words only. */
export async function brokenRefs(git: Git, prefix: string): Promise<BrokenRef[]> {
  const { stderr } = await git.run(['for-each-ref', '--format=', prefix])
  const found = [...stderr.matchAll(/^warning: ignoring broken ref (\S+)$/gm)]
  return Promise.all(
    found.map(async ([, name = '']) => {
      const log = await gitPath(git, `logs/${name}`)
      const last = attempt(() => readFileSync(log, 'latin1'))
        ?.trimEnd()
        .split('\n')
        .at(-1)
      const commit = /^[0-9a-f]+ ([0-9a-f]+) /.exec(last ?? '')?.[1]
      return { name, file: await gitPath(git, name), last: commit }
    }),
  )
}

async function gitPath(git: Git, name: string): Promise<string> {
  return resolve(git.cwd, await git.text(['rev-parse', '--git-path', name]))
}

function isStale(lock: string): boolean {
  const found = attempt(() => lstatSync(lock))
  return found?.isFile() === true && Date.now() - found.mtimeMs > STALE_MS
}

function remove(path: string): boolean {
  attempt(() => rmSync(path, { force: true }))
  return !existsSync(path)
}

/** Under git's own lock: nobody writes it while it is looked at. */
function removeBroken(file: string): boolean {
  const lock = `${file}.lock`
  try {
    writeFileSync(lock, '', { flag: 'wx' })
  } catch {
    return false
  }
  try {
    const text = attempt(() => readRegularFile(file))?.toString('latin1')
    return text !== undefined && !SAYS_SOMETHING.test(text) && remove(file)
  } finally {
    remove(lock)
  }
}
