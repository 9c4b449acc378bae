/** Opens the readers of a repository, with its cache and what a partial clone needs. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place, RevisionReader } from '../../app/ports.ts'
import { FileCache } from '../cache/ledger-cache.ts'
import type { Git } from '../process/exec.ts'
import type { PrefetchedObjects } from './batch-reader.ts'
import { BatchReader } from './batch-reader.ts'
import { CatFileReader } from './cat-file-reader.ts'

/** For hooks, drivers and commands, most of which ask once or twice. */
export function openBatchReader(
  git: Git,
  place: Place,
  prefetched?: () => PrefetchedObjects,
): RevisionReader {
  return Object.assign(new BatchReader(git, prefetched), helpers(git, place))
}

/** For callers that walk chains of trees and commits: one child from the start. */
export function openCatFileReader(git: Git, place: Place): RevisionReader {
  return Object.assign(new CatFileReader(git), helpers(git, place))
}

/** The cache, and the prefetch that a partial clone needs. */
function helpers(git: Git, { commonDir }: Place): Pick<RevisionReader, 'cache' | 'prefetch'> {
  const cache = new FileCache(join(commonDir, 'ledger-git'))
  if (!isPartialClone(commonDir)) return { cache }
  return { cache, prefetch: (tree) => prefetchTree(git, tree) }
}

/** True when objects may be missing on purpose (git's "promisor" remotes). */
export function isPartialClone(commonDir: string): boolean {
  const path = join(commonDir, 'config')
  return existsSync(path) && /partialclone|promisor\s*=\s*true/i.test(readFileSync(path, 'utf8'))
}

/**
 * Fetches what is missing below a tree in one go, because git would open a connection for each object. Best effort:
 * git reports later what it lacks.
 */
async function prefetchTree(git: Git, tree: string): Promise<void> {
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
