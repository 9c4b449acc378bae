/** Partial clones: git would fetch missing objects one by one, each with a connection of its own. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from '../git/exec.ts'

/** True when objects may be missing on purpose (git's "promisor" remotes). */
export function isPartialClone(commonDir: string): boolean {
  const path = join(commonDir, 'config')
  return existsSync(path) && /partialclone|promisor\s*=\s*true/i.test(readFileSync(path, 'utf8'))
}

/** Fetches what is missing below a tree in one go. Best effort: git says later what it lacks. */
export async function prefetchTree(git: Git, tree: string): Promise<void> {
  const listing = await git.run(['rev-list', '--objects', '--missing=print', tree])
  const missing = listing.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('?'))
    .map((line) => line.slice(1))
  if (missing.length === 0) return
  const remote = await git.query(['config', '--get-regexp', String.raw`^remote\..*\.promisor$`])
  const name = /^remote\.(.*)\.promisor/.exec(remote ?? '')?.[1]
  if (name === undefined) return
  const quiet = ['--no-tags', '--no-write-fetch-head', '--recurse-submodules=no']
  const fetch = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--quiet', ...quiet]
  await git.run([...fetch, '--filter=blob:none', name, '--stdin'], {
    input: `${missing.join('\n')}\n`,
  })
}
