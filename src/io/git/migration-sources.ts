/** Hand-written files of one worktree, and when git last saw them change. */

import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MigrationSources } from '../../app/migrate/migrate-source.ts'
import { MAX_EVENT_BYTES } from '../../core/event/event-bytes.ts'
import type { Git } from '../process/exec.ts'
import { LOG } from '../process/exec.ts'
import { attempt } from '../files/files.ts'

/** `git` must run at the top of the worktree. */
export function gitMigrationSources(git: Git): MigrationSources {
  return {
    list: async (paths) => {
      const args = ['--literal-pathspecs', 'ls-files', '-co', '-z', '--exclude-standard', '--']
      const found = (await git.output([...args, ...paths])).toString('utf8').split('\0')
      // An unmerged path is listed once for each of its stages.
      return [...new Set(found)].filter((path) => path !== '')
    },
    read: (path) => {
      const absolute = join(git.cwd, path)
      const found = attempt(() => {
        const stat = lstatSync(absolute, { throwIfNoEntry: false })
        if (stat === undefined) return { problem: 'absent' } as const
        if (stat.isSymbolicLink()) return { problem: 'link' } as const
        if (stat.isDirectory()) return { problem: 'folder' } as const
        if (!stat.isFile()) return { problem: 'not-a-file' } as const
        if (stat.size > MAX_EVENT_BYTES) return { problem: 'too-large' } as const
        return { bytes: readFileSync(absolute), mtimeMillis: Math.floor(stat.mtimeMs) }
      })
      return found ?? { problem: 'unreadable' }
    },
    committedAt: (path) => lastOf(path, ['-1', 'HEAD']),
    // The newest commit comes first, and may have replaced the blob: the last one added it.
    firstHeldAt: (path, blob) => lastOf(path, ['--full-history', `--find-object=${blob}`, '--all']),
    blobsAt: async (path) => {
      const args = [...LOG, '--reverse', '--format=', '--raw', '--no-abbrev']
      const changes = await git.lines(['--literal-pathspecs', ...args, 'HEAD', '--', path])
      return changes.flatMap((line) => /^:\d+ 100\d+ \w+ (\w+) /.exec(line)?.[1] ?? [])
    },
  }

  /** The time of the last commit that git lists. */
  async function lastOf(path: string, which: readonly string[]): Promise<number | undefined> {
    const args = [...LOG, '--format=%ct', ...which, '--', path]
    const seconds = (await git.lines(['--literal-pathspecs', ...args])).at(-1)
    return seconds === undefined ? undefined : Number(seconds) * 1000
  }
}
