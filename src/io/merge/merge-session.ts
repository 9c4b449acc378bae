/** Everything the merge driver needs from git, opened with as few git calls as possible. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MergeDependencies } from '../../app/merge/merge-ledger.ts'
import type { MergeFiles } from '../../app/merge/run-merge-driver.ts'
import type { Place } from '../../app/ports.ts'
import type { MergeTexts } from '../../app/ports/merge-text.ts'
import { attempt, writeFileAtomic } from '../files/files.ts'
import { gitDirsFromEnvironment } from '../git/discover.ts'
import { openTextMerge } from '../git/text-merge.ts'
import { Git, LOG } from '../process/exec.ts'
import type { Prefetched } from './prefetch.ts'
import { readPrefetched } from './prefetch.ts'
import { collectClues, isIndexLocked } from './merge-evidence.ts'
import type { Labels } from './merge-evidence.ts'
import { openBatchReader } from '../objects/open-reader.ts'
import { Repository } from '../git/repository.ts'

/** `%O %A %B %L %P %S %X %Y` as git passes them. */
export interface DriverArguments {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  readonly markerSize: string
  readonly path: string
  readonly labels: Labels
}

/** Milliseconds that the last resort, a search of the history, may take. */
const SEARCH_TIMEOUT = 5000

export function openMergeSession(
  args: DriverArguments,
  cwd: string,
  env: NodeJS.ProcessEnv,
): MergeDependencies {
  const dirs = gitDirsFromEnvironment(cwd, env)
  const config = attempt(() => readFileSync(`${dirs.commonDir}/config`, 'utf8')) ?? ''
  const format = /objectformat\s*=\s*sha256/i.test(config) ? 'sha256' : 'sha1'
  const locked = isIndexLocked(dirs.gitDir, env)
  const place: Place = { top: undefined, ...dirs, format, prefix: '' }
  const git = new Git(cwd, env)
  // Git answers the launcher while the three texts are read.
  let read: Prefetched | undefined
  const prefetched = () => (read ??= readPrefetched(env))
  const prefetchedObjects = () => prefetched().objects
  const repository = new Repository(git, place, () =>
    openBatchReader(git, place, prefetchedObjects),
  )
  const root = args.path.includes('/') ? args.path.slice(0, args.path.lastIndexOf('/')) : ''
  return {
    objects: repository.objects,
    format,
    root,
    clues: collectClues(dirs.gitDir, env, args.labels),
    // merge-tree, replay and remerge-diff hold no lock: there the index is not a side.
    index: locked ? { place, index: repository.index } : undefined,
    expected: () => [...prefetched().mergeBases.values()].flat(),
    mergeBases: async (theirs) =>
      prefetched().mergeBases.get(theirs) ?? repository.mergeBases('HEAD', theirs),
    indexEqualsHead: async (...paths) =>
      prefetched().indexEqualsHead || repository.index.equalsHead(...paths),
    searchHistory: (blob) => searchHistory(git, blob, args.path),
    writeTree: (entries) => repository.writeTree(entries),
    // Read by githooks/prepare-commit-msg. If it is torn or lost, Node has to be started once more.
    keepFresh: (listing) =>
      attempt(() => writeFileSync(`${dirs.commonDir}/ledger-git/cache/fresh`, `${listing}\n`)),
  }
}

export function openMergeFiles(
  args: DriverArguments,
  cwd: string,
  env: NodeJS.ProcessEnv,
): MergeFiles {
  const path = (name: string) => join(cwd, name)
  return {
    read: (): MergeTexts => ({
      base: readFileSync(path(args.base)),
      ours: readFileSync(path(args.ours)),
      theirs: readFileSync(path(args.theirs)),
    }),
    write: (text) => writeFileAtomic(path(args.ours), text),
    textMerge: (texts) => openTextMerge(new Git(cwd, env), args.markerSize)(texts).content,
  }
}

async function searchHistory(git: Git, blob: string, path: string): Promise<string[]> {
  const args = [
    ...LOG,
    '--all',
    '--reflog',
    '-m',
    '--format=%H',
    '-n',
    '20',
    `--find-object=${blob}`,
  ]
  const result = await git.run([...args, '--', path], { timeout: SEARCH_TIMEOUT })
  return [...new Set(result.stdout.toString('utf8').split('\n').filter(Boolean))]
}
